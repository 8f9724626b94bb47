import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { standardFields } from '../../definition/model/standard-fields.ts'
import type { Field } from '../../fields/field.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { type RefTo, shownProperties } from '../shapes/doctype-schemas.ts'

/** Field that every record has by itself → the shape they share; no DocType's shapes may have these names. */
const SHAPES: Readonly<Record<string, string>> = {
  id: 'StandardId',
  name: 'StandardName',
  created: 'StandardCreated',
  modified: 'StandardModified',
  owner: 'StandardOwner',
  modified_by: 'StandardModifiedBy',
  docstatus: 'StandardDocstatus',
  amended_from: 'StandardAmendedFrom',
}

/** The standard fields of a record by reference: said in full for each resource, they are 50 kB of the document. */
export function standardReferences(
  definition: DocTypeDefinition,
  refTo: RefTo,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    standardFields(definition).map(({ name }) => [name, { $ref: refTo(SHAPES[name]!) }]),
  )
}

/** Name of the shape of the standard fields that every record of this DocType has. */
export function standardRecord({ submittable }: DocTypeDefinition): string {
  return submittable ? 'SubmittableRecord' : 'StandardRecord'
}

/** Shapes that these references point to, and of the standard fields together. */
export function standardSchemas({ all }: Registry): Readonly<Record<string, JsonSchema>> {
  const fields = new Map<string, Field>()
  for (const definition of all)
    for (const field of standardFields(definition)) fields.set(field.name, field)
  const properties = shownProperties([...fields.values()], () => ({}))
  const together = all.map((definition): [string, JsonSchema] => {
    const references = standardReferences(definition, (name) => `#/components/schemas/${name}`)
    const required = Object.keys(references)
    return [standardRecord(definition), { type: 'object', properties: references, required }]
  })
  return {
    ...Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [SHAPES[name]!, schema]),
    ),
    ...Object.fromEntries(together),
  }
}
