import { isMap, isScalar, isSeq, parseDocument, type Scalar } from 'yaml'
import type { SourceFile } from '../../../engine/definition/yaml/source.ts'

/** An expression of a YAML file: its place and what it is for. */
export interface Site {
  readonly file: SourceFile
  readonly doctype: string
  /** What the expression is for, e.g. `field formula`, `row default`, `effects post rows set`. */
  readonly kind: string
  readonly path: readonly (string | number)[]
  readonly source: string
  /** Its scalar in the text of the file, quotes included. */
  readonly start: number
  readonly end: number
  readonly isPlain: boolean
}

const FIELD_KEYS =
  'formula|default|default_from|renew|required_when|visible_when|lookup/match|lookup/where|lookup/where/#|lookup/sum|lookup/min|lookup/max|rollup/match|rollup/sum|rollup/min|rollup/max|rollup/where'

/** The shape of a path → the kind of expression there. `#` stands for a place in a list, `*` for a name. */
const KINDS: readonly (readonly [RegExp, (found: readonly string[], step: string) => string])[] = [
  [new RegExp(`^fields/[^/]+/(${FIELD_KEYS})$`), ([, key]) => `field ${key}`],
  [new RegExp(`^fields/[^/]+/fields/[^/]+/(${FIELD_KEYS})$`), ([, key]) => `row ${key}`],
  [/^find\/[^/]+\/(match|where|renew)(?:\/[^/]+)?$/, ([, key]) => `find ${key}`],
  [/^fields\/[^/]+\/find\/[^/]+\/(match|where|renew)(?:\/[^/]+)?$/, ([, key]) => `row find ${key}`],
  [/^status\/(derive|moves)\/[^/]+$/, ([, key]) => `status ${key}`],
  [/^status\/tick\/daily$/, () => 'status tick'],
  [/^unique\/#\/where$/, () => 'unique where'],
  [/^validate\/#\/check$/, () => 'validate check'],
  [/^actions\/[^/]+\/when$/, () => 'actions when'],
  [/^actions\/[^/]+\/input\/[^/]+\/default$/, () => 'actions input default'],
  [
    /^(effects|actions)\/[^/]+\/(?:steps\/)?#\/(if|date)$/,
    ([, of, key], step) => `${of} ${step} ${key}`,
  ],
  [/^(effects|actions)\/[^/]+\/(?:steps\/)?#\/set\/[^/]+$/, ([, of], step) => `${of} ${step} set`],
  [
    /^(effects|actions)\/[^/]+\/(?:steps\/)?#\/rounding\/set\/[^/]+$/,
    ([, of]) => `${of} rounding set`,
  ],
  [
    /^(effects|actions)\/[^/]+\/(?:steps\/)?#\/rows\/(?:[^/]+\/)?(?:#\/)?(if|set)(?:\/[^/]+)?$/,
    ([, of, key], step) => `${of} ${step} rows ${key}`,
  ],
  [
    /^(effects|actions)\/[^/]+\/(?:steps\/)?#\/(?:rows\/(?:[^/]+\/)?(?:#\/)?)?each\/(where|if|group|sum|min|max)(?:\/[^/]+)?$/,
    ([, of, key]) => `${of} each ${key}`,
  ],
  [/^(effects|actions)\/[^/]+\/(?:steps\/)?#\/record$/, ([, of]) => `${of} update record`],
  [/^events\/[^/]+\/(when|set|data)(?:\/[^/#]+)?$/, ([, key]) => `events ${key}`],
  [
    /^invariants\/#\/terms\/#\/(where|add|subtract|by)(?:\/[^/]+)?$/,
    ([, key]) => `invariants ${key}`,
  ],
  [/^permissions\/rows\/[^/]+(?:\/(?:read|write))?$/, () => 'permissions rows'],
]

/** Every kind of place in which an expression may stand. */
export const SITE_KINDS: readonly string[] = [
  ...FIELD_KEYS.split('|').map((key) => `field ${key}`),
  ...FIELD_KEYS.split('|')
    .filter((key) => !key.endsWith('/min') && key !== 'rollup/max')
    .map((key) => `row ${key}`),
  ...['match', 'where', 'renew'].flatMap((key) => [`find ${key}`, `row find ${key}`]),
  ...[
    'unique where',
    'status derive',
    'status moves',
    'status tick',
    'validate check',
    'actions when',
    'actions input default',
  ],
  ...['effects', 'actions'].flatMap((of) => [
    ...['if', 'date', 'rows if', 'rows set'].map((key) => `${of} post ${key}`),
    ...['if', 'set', 'rows if', 'rows set'].map((key) => `${of} create ${key}`),
    ...['if', 'set'].map((key) => `${of} set ${key}`),
    ...['if', 'set', 'record'].map((key) => `${of} update ${key}`),
    ...['where', 'if', 'group', 'sum', 'min', 'max'].map((key) => `${of} each ${key}`),
    `${of} rounding set`,
  ]),
  'actions submit if',
  ...['if', 'set'].map((key) => `actions fill ${key}`),
  ...['rows if', 'rows set'].map((key) => `actions update ${key}`),
  ...['when', 'set', 'data'].map((key) => `events ${key}`),
  ...['where', 'add', 'subtract', 'by'].map((key) => `invariants ${key}`),
  'permissions rows',
]

const STEPS = ['post', 'create', 'update', 'fill', 'submit', 'set'] as const

/** All places of a file that may hold an expression; a default may still be a plain value. */
export function sitesOf(file: SourceFile): Site[] {
  const document = parseDocument(file.text)
  const doctype = String(document.get('doctype'))
  const sites: Site[] = []
  const visit = (node: unknown, path: readonly (string | number)[], step: string): void => {
    if (isMap(node)) {
      const inSteps =
        path[0] === 'effects' ? path.length === 3 : path[2] === 'steps' && path.length === 4
      const named = inSteps ? (STEPS.find((key) => node.has(key)) ?? '') : step
      for (const { key, value } of node.items) {
        // A look-up that names no DocType takes what a link says: a name, no expression.
        const isLink = String(key) === 'match' && path.at(-1) === 'lookup' && !node.has('from')
        if (!isLink) visit(value, [...path, String(key)], named)
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) visit(item, [...path, index], step)
    } else if (isScalar(node) && typeof node.value === 'string') {
      const kind = kindOf(path, step)
      if (kind !== undefined && !isConstant(kind, node))
        sites.push(siteOf(file, doctype, kind, path, node))
    }
  }
  visit(document.contents, [], '')
  return sites
}

/** Whether a value that is set is an option or the name of a DocType: names of fields have small letters. */
function isConstant(kind: string, { type, value }: Scalar): boolean {
  return kind.endsWith('set') && type === 'PLAIN' && /^[A-Z][\w -]*$/.test(String(value))
}

function kindOf(path: readonly (string | number)[], step: string): string | undefined {
  const shape = path.map((part) => (typeof part === 'number' ? '#' : part)).join('/')
  for (const [pattern, kind] of KINDS) {
    const found = pattern.exec(shape)
    if (found) return kind(found, step)
  }
  return undefined
}

function siteOf(
  file: SourceFile,
  doctype: string,
  kind: string,
  path: Site['path'],
  node: Scalar,
): Site {
  const [start, end] = node.range!
  const isPlain = node.type === 'PLAIN'
  return { file, doctype, kind, path, source: String(node.value), start, end, isPlain }
}
