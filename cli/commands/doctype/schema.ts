import { metaSchemaJson } from '../../../engine/definition/meta-schema.ts'
import { writeText } from '../../output.ts'

/** `svc doctype schema`: the JSON Schema that the first line of each YAML file names. */
export function writeSchema(file: string | undefined): void {
  writeText(schemaText(), file)
}

/** The schema as the text of `doctype.schema.json`. */
export function schemaText(): string {
  return `${JSON.stringify(metaSchemaJson(), null, 2)}\n`
}
