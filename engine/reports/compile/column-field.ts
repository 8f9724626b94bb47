import { ENGINE_FIELD } from '../../definition/model/engine-field.ts'
import { type Beside, normaliseField } from '../../definition/normalise/normalise-field.ts'
import { titleCase } from '../../definition/normalise/slug.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import type { Node, ScalarKind } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { Site } from '../declare/site.ts'

/** Type a value is shown as when it names none itself and is no field's. */
const TYPE_OF_KIND: Readonly<Record<ScalarKind, string>> = {
  money: 'currency',
  decimal: 'float',
  int: 'int',
  bool: 'check',
  str: 'data',
  date: 'date',
  datetime: 'datetime',
  time: 'time',
}

/** Declared form of a column, or of a number of the summary. */
interface Shown {
  readonly type?: string
  readonly options?: string | readonly string[]
  readonly scale?: number
  readonly label?: string
  readonly description?: string
}

/**
 * The field whose type a column's values have: of the declared type, else of the field they come from, else of the
 * kind of the expression. Undefined where the declared type is a mistake, which is reported.
 */
export function columnField(
  site: Site,
  name: string,
  shown: Shown,
  path: Path,
  from: { readonly field?: Field | undefined; readonly node?: Node | undefined },
): Field | undefined {
  const { type, options, scale, label, description } = shown
  const same = from.field?.name === name ? from.field : undefined
  const told = description ?? same?.description
  const about = {
    label: label ?? same?.label ?? titleCase(name),
    ...(told === undefined ? {} : { description: told }),
  }
  if (type === undefined && from.field) {
    const { description: _told, ...field } = from.field
    return { ...field, ...about, ...PLAIN, name }
  }
  const raw = {
    ...about,
    type: type ?? TYPE_OF_KIND[from.node?.kind ?? 'str'],
    ...(options === undefined ? {} : { options }),
    ...(scale === undefined ? {} : { scale }),
  }
  const field = normaliseField(name, raw, path, ALONE, {
    doctype: name,
    childFields: () => undefined,
    childNames: [],
    isDocType: () => false,
    inRows: true,
    report: (at, message, part) => site.complain(at, message, part),
  })
  return field && { ...field, ...PLAIN }
}

const ALONE: Beside = { names: new Set(), naming: new Set() }

/** Properties about entering a value, none of which matters here. */
const PLAIN = { ...ENGINE_FIELD, noCopy: false } as const
