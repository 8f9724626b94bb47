import type { ChildDefinition, Field, Find } from '../../engine/fields/field.ts'
import { aspectsOf, type Fact } from './texts.ts'

/** Facts of fields and finds; those of a table's rows stand below it, as `items.qty`. */
export function fieldFacts(owner: Rows): ReadonlyMap<string, Fact> {
  return new Map(withColumns(owner, '').map((fact) => [fact.key, fact]))
}

type Rows = Pick<ChildDefinition, 'fields' | 'finds'>

function withColumns({ fields, finds = [] }: Rows, prefix: string): readonly Fact[] {
  return [
    ...finds.map((find) => findFact(find, prefix)),
    // What the loader makes follows from the expressions, which are compared.
    ...fields.flatMap((field) =>
      field.made
        ? []
        : [
            factOf(field, prefix),
            ...withColumns(field.child ?? NO_ROWS, `${prefix}${field.name}.`),
          ],
    ),
  ]
}

const NO_ROWS: Rows = { fields: [] }

function findFact(
  { name, from, match, equals, where, latest, at, renew }: Find,
  prefix: string,
): Fact {
  return {
    key: `${prefix}${name}`,
    label: `Find ${name}`,
    renamedFrom: undefined,
    aspects: aspectsOf({
      'found in': from,
      'found by': match ?? equals ?? where,
      'the latest by': latest,
      'found at': at,
      'found anew when': renew,
    }),
  }
}

function factOf(field: Field, prefix: string): Fact {
  return {
    key: `${prefix}${field.name}`,
    label: field.label,
    renamedFrom: field.renamedFrom === undefined ? undefined : `${prefix}${field.renamedFrom}`,
    aspects: aspectsOf({
      type: typeOf(field),
      label: field.label,
      required: field.required,
      'required when': field.requiredWhen,
      unique: field.unique,
      filterable: field.filterable,
      'set once': field.createOnly,
      'read only': field.readOnly,
      hidden: field.hidden,
      'visible when': field.visibleWhen,
      'changeable after submit': field.allowOnSubmit,
      'left out of copies': field.noCopy,
      smallest: field.min ?? field.child?.minRows,
      largest: field.max ?? field.child?.maxRows,
      length: field.length,
      decimals: field.scale,
      pattern: field.pattern,
      currency: field.currencyField,
      default: field.default,
      'default from': field.defaultFrom,
      'taken anew when': field.renew,
      'computed by formula': field.formula,
      'copied from':
        field.fetch && `${field.fetch.link}.${field.fetch.field} (${field.fetch.when})`,
      'looked up': field.lookup,
      'called of': field.call,
      'rows made of': field.rows,
      'kept from': field.rollup,
      'never leads back': field.acyclic,
    }),
  }
}

function typeOf({ type, options, link, linkTable, linkFrom, child }: Field): string {
  if (link !== undefined)
    return `${type} to ${link}${linkTable === undefined ? '' : `.${linkTable}`}`
  if (linkFrom !== undefined) return `${type} by ${linkFrom}`
  if (child) return `${type} of ${child.name}`
  return options === undefined ? type : `${type}: ${options.join(' | ')}`
}
