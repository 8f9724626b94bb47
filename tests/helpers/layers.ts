import { posix } from 'node:path'
import { type Import, importsOf } from './imports.ts'
import { type Token, tokenize } from './tokens.ts'

/** The sources to judge. */
export interface Project {
  /** Path from the root (`engine/base/errors.ts`) → text. */
  readonly files: ReadonlyMap<string, string>
  /** Names of the shipped DocTypes, e.g. `Sales Order`. */
  readonly doctypes: readonly string[]
  /** The modules of `modules.yaml` and the tiers of `plans.yaml`. */
  readonly declared: readonly string[]
}

/**
 * The ranks of the house (docs/architecture.md), lowest first: an import goes to a lower line or stays in
 * its folder; folders on one line don't import each other.
 */
const LINES: readonly (readonly string[])[] = [
  ['engine/base'],
  ['engine/fields', 'engine/expression'],
  ['engine/definition'],
  ['engine/schema', 'engine/access'],
  ['engine/storage'],
  ['engine/rules', 'engine/events'],
  ['engine/documents'],
  ['engine/reports'],
  ['engine/index.ts'],
  ['webhooks', 'server/auth', 'server/billing', 'server/mail', 'server/files'],
  ['server', 'hooks'],
  ['cli', 'demo'],
]

/**
 * The rooms of a folder, lowest first: what stands in one imports, be it a type, from those below it and its own. The
 * files of the folder itself, and folders that are not named here, stand above them.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'engine/expression': ['tree', 'run', 'syntax', 'sql'],
  'engine/definition': ['yaml', 'model', 'grammar', 'normalise', 'lets', 'check', 'made', 'load'],
  'engine/schema': ['shapes', 'catalogue', 'openapi', 'types'],
  'engine/storage': [
    'deep',
    'database',
    'postgres',
    'records',
    'workspace',
    'finding',
    'query',
    'migration',
    'backup',
  ],
  'engine/rules': ['base', 'cells', 'rollups', 'checks', 'steps', 'program', 'explain'],
  'engine/documents': [
    'work',
    'record',
    'rights',
    'links',
    'effects',
    'history',
    'operations',
    'lists',
    'schedule',
    'explain',
    'verify',
    'start',
  ],
  'engine/reports': ['declare', 'compile', 'run'],
  webhooks: ['signing', 'sending'],
  cli: ['start'],
  demo: ['world', 'play', 'books', 'people', 'supply', 'selling'],
  server: ['settings', 'http', 'limits', 'idempotency', 'observe', 'import', 'export', 'jobs'],
}

/** Rooms that are entered by some of their files alone: others import none of the rest. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  'engine/documents/rights': ['door.ts', 'given-limits.ts', 'people-guard.ts', 'told-rights.ts'],
}

/** The one that asks for a right, and who may call it: all others ask the door. */
const ASKS = 'assertCan'
const MAY_ASK = ['engine/access/can.ts', 'engine/documents/rights/door.ts']

/** Folders that speak HTTP or look from outside: they import none of the above, none of the above them. */
const OUTSIDE = ['mcp', 'desk', 'bench', 'build', 'docs', 'tests', 'doctypes']

const RANKS = LINES.flatMap((folders, rank) => folders.map((folder) => ({ folder, rank })))

/** What hooks are made of, beside one another: what they have from the engine is pure as they are. */
const HOOKS_STAND_ON = /^engine\/(base|expression)\/|^engine\/definition\/model\/hook\.ts$/

/** What the Desk has from the engine: what is pure. */
const DESK_STANDS_ON = /^engine\/(expression\/|base\/money\.ts$)/

/** Where statements are built: storage those of records, reports theirs, a `store.ts` those of its own tables. */
const MAY_BUILD_QUERIES =
  /^(engine\/storage\/|engine\/reports\/|engine\/events\/log\.ts$|(webhooks|server\/[a-z]+(\/[a-z]+)?)\/([a-z]+-)?store\.ts$)/

/** Methods of kysely that begin a statement. */
const QUERY_STARTS: ReadonlySet<string> = new Set([
  'selectFrom',
  'insertInto',
  'updateTable',
  'deleteFrom',
])

const BARRELS = ['engine/index.ts', 'engine/fields/index.ts', 'hooks/index.ts']

/** Names of field types (contract §1) that mean nothing else in our code. */
const FIELD_TYPES = new Set(
  `small_text long_text currency percent check select link dynamic_link table datetime attach attach_image
  rating float markdown html color phone email password duration`.split(/\s+/),
)

/** Every breach of the house rules as `file:line: what and what to do`, sorted by file. */
export function findViolations({ files, doctypes, declared }: Project): string[] {
  const parsed = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => {
      const tokens = tokenize(text)
      return { path, tokens, imports: importsOf(tokens) }
    })
  const problems: string[] = []
  for (const { path, tokens, imports } of parsed) {
    const found = [
      ...folderProblems(path),
      ...imports.flatMap((one) => importProblems(path, one)),
      ...queryProblems(path, tokens),
      ...fieldTypeProblems(path, tokens),
      ...doctypeProblems(path, tokens, doctypes),
      ...rightProblems(path, tokens),
      ...declaredProblems(path, tokens, declared),
    ]
    for (const [line, message] of found) problems.push(`${path}:${line}: ${message}`)
  }
  return [...problems, ...importCycles(parsed)]
}

type Problem = readonly [line: number, message: string]

/** The folder of the house a path belongs to: the longest that contains it. */
function place(path: string): { folder: string; rank: number } | undefined {
  return RANKS.filter(({ folder }) => path === folder || path.startsWith(`${folder}/`)).sort(
    (a, b) => b.folder.length - a.folder.length,
  )[0]
}

function isOutside(path: string): boolean {
  return OUTSIDE.some((folder) => path.startsWith(`${folder}/`))
}

function folderProblems(path: string): Problem[] {
  const problems: Problem[] = []
  if (place(path) === undefined && !isOutside(path)) {
    problems.push([1, 'this folder has no rank; put the file where docs/architecture.md has room'])
  }
  if (posix.basename(path, posix.extname(path)) === 'index' && !BARRELS.includes(path)) {
    problems.push([
      1,
      `only ${BARRELS.join(' and ')} are index files; name the file for its concept`,
    ])
  }
  return problems
}

function importProblems(path: string, { specifier, typeOnly, reExport, line }: Import): Problem[] {
  const problems: Problem[] = []
  if (reExport && !BARRELS.includes(path)) {
    problems.push([line, `re-exports ${specifier}; let readers import it from there`])
  }
  if (specifier === 'kysely' && !typeOnly && !isOutside(path) && !MAY_BUILD_QUERIES.test(path)) {
    problems.push([line, 'builds queries with kysely; put them into engine/storage or a store.ts'])
  }
  if (!specifier.startsWith('.')) return problems
  const target = posix.join(posix.dirname(path), specifier)
  const direction =
    directionProblem(path, target) ?? roomProblem(path, target) ?? doorProblem(path, target)
  if (direction !== undefined) problems.push([line, `imports ${target}: ${direction}`])
  return problems
}

function directionProblem(path: string, target: string): string | undefined {
  const from = place(path)
  const to = place(target)
  if (from === undefined) {
    const isPure = from === undefined && path.startsWith('desk/') && DESK_STANDS_ON.test(target)
    return to === undefined || isPure
      ? undefined
      : `${path.split('/')[0]} speaks HTTP and imports none of it`
  }
  if (to === undefined) {
    if (from.folder === 'cli' && target.startsWith('mcp/')) return undefined
    return isOutside(target) ? 'it stands outside the program' : undefined
  }
  if (from.folder === 'hooks' && to.folder !== 'hooks' && !HOOKS_STAND_ON.test(target))
    return 'hooks are pure functions; they stand on engine/base, engine/expression and hook.ts'
  if (from.folder === to.folder || to.rank < from.rank) return undefined
  // The demo beside the product: a command starts it, and it begins with what `svc setup` does.
  if (from.folder === 'demo' || (path === 'cli/commands/demo.ts' && to.folder === 'demo'))
    return undefined
  if (to.rank === from.rank) return `${from.folder} and ${to.folder} are of one rank`
  return `${to.folder} ranks above ${from.folder}`
}

function roomProblem(path: string, target: string): string | undefined {
  const folder = place(path)?.folder
  if (folder === undefined || folder !== place(target)?.folder) return undefined
  const rooms = ROOMS[folder] ?? []
  const [from, to] = [path, target].map((one) => one.slice(folder.length + 1).split('/')[0] ?? '')
  const above = rooms.indexOf(from!)
  if (above < 0 || from === to) return undefined
  const height = rooms.indexOf(to!)
  if (height >= 0 && height < above) return undefined
  return `${folder}/${from} stands below ${height < 0 ? folder : `${folder}/${to}`}`
}

/** A database is handed through every rank, and with it the methods that begin statements: storage alone calls them. */
function queryProblems(path: string, tokens: readonly Token[]): Problem[] {
  if (isOutside(path) || MAY_BUILD_QUERIES.test(path)) return []
  return tokens.flatMap(({ kind, text, line }, at): Problem[] => {
    const isCall = tokens[at - 1]?.text === '.' && tokens[at + 1]?.text === '('
    if (kind !== 'word') return []
    if (isCall && QUERY_STARTS.has(text))
      return [[line, `builds a query by .${text}(); put it into engine/storage or a store.ts`]]
    return text === 'sqlOf' && !path.startsWith('engine/rules/')
      ? [[line, 'writes SQL by sqlOf, as only rules do for what is declared; use engine/storage']]
      : []
  })
}

function doorProblem(path: string, target: string): string | undefined {
  const room = posix.dirname(target)
  const doors = DOORS[room]
  if (!doors || path.startsWith(`${room}/`) || isOutside(path)) return undefined
  return doors.includes(posix.basename(target)) ? undefined : `${room} is entered by ${doors[0]}`
}

/** Rights are asked in one place. */
function rightProblems(path: string, tokens: readonly Token[]): Problem[] {
  if (isOutside(path) || MAY_ASK.includes(path)) return []
  return tokens
    .filter(({ kind, text }) => kind === 'word' && text === ASKS)
    .slice(0, 1)
    .map(({ line }) => [line, `asks for a right itself; ask ${MAY_ASK[1]}`])
}

/** Code outside engine/fields asks the field type object and never compares type names. */
function fieldTypeProblems(path: string, tokens: readonly Token[]): Problem[] {
  if (isOutside(path) || path.startsWith('engine/fields/')) return []
  const problems: Problem[] = []
  tokens.forEach((token, at) => {
    if (token.text !== 'type' || token.kind !== 'word') return
    const subject = tokens[at - 1]?.text === '.' ? tokens[at - 2]?.text : undefined
    const isField = subject !== undefined && /field|column/i.test(subject)
    if (isSwitchSubject(tokens, at) && (isField || casesAfter(tokens, at).some(isFieldType))) {
      problems.push([token.line, 'switches on field types; ask the field type object'])
    }
    const compared = comparedText(tokens, at)
    if (compared !== undefined && (isField || isFieldType(compared))) {
      problems.push([
        token.line,
        `compares a field type with '${compared}'; ask the field type object`,
      ])
    }
  })
  return problems
}

function isFieldType(text: string): boolean {
  return FIELD_TYPES.has(text)
}

function isSwitchSubject(tokens: readonly Token[], at: number): boolean {
  let start = at
  while (['.', '?', '!'].includes(tokens[start - 1]?.text ?? '')) start -= 1
  while (start > 0 && tokens[start]?.text !== '(') start -= 1
  const closes = tokens[at + 1]?.text === ')' && tokens[at + 2]?.text === '{'
  return closes && tokens[start - 1]?.text === 'switch'
}

function casesAfter(tokens: readonly Token[], at: number): string[] {
  const cases: string[] = []
  let depth = 0
  for (let i = at + 2; i < tokens.length; i += 1) {
    const { kind, text } = tokens[i] as Token
    if (kind === 'sign' && text === '{') depth += 1
    if (kind === 'sign' && text === '}') depth -= 1
    if (depth === 0) break
    if (kind === 'text' && tokens[i - 1]?.text === 'case') cases.push(text)
  }
  return cases
}

/** The text in `… .type === 'text'` or `!==`, `type` being the token at `at`. */
function comparedText(tokens: readonly Token[], at: number): string | undefined {
  const [first, second, third, text] = tokens.slice(at + 1, at + 5)
  const equals = second?.text === '=' && third?.text === '='
  return equals && '=!'.includes(first?.text ?? ' ') && text?.kind === 'text'
    ? text.text
    : undefined
}

/** DocTypes that share their name with an HTTP header, which the engine has to name. */
const HEADER_NAMES: ReadonlySet<string> = new Set(['Location'])

/** The engine never names a DocType: neither as a whole text nor, where the name is unmistakable, in one. */
function doctypeProblems(
  path: string,
  tokens: readonly Token[],
  doctypes: readonly string[],
): Problem[] {
  if (!/^(engine|server|webhooks|desk)\//.test(path)) return []
  return tokens.flatMap(({ kind, text, line }): Problem[] => {
    if (kind !== 'text') return []
    const named = doctypes.find((name) =>
      name.includes(' ')
        ? new RegExp(`\\b${name}\\b`).test(text)
        : name.length > 3 && text === name && !HEADER_NAMES.has(text),
    )
    return named === undefined ? [] : [[line, `names the DocType '${named}'; declare it in YAML`]]
  })
}

/** Module names that mean something else too: the folder of the records that come along (`setup/…`). */
const ORDINARY_WORDS: ReadonlySet<string> = new Set(['setup'])

/**
 * The engine never names a module or a tier. They are ordinary words (`stock`, `free`), so only a text that is
 * nothing else counts: as a value it is compared with, a key it is looked up by, an example it stands for.
 */
function declaredProblems(
  path: string,
  tokens: readonly Token[],
  declared: readonly string[],
): Problem[] {
  if (!/^(engine|server|webhooks)\//.test(path)) return []
  return tokens.flatMap(({ kind, text, line }): Problem[] => {
    if (kind !== 'text' || ORDINARY_WORDS.has(text) || !declared.includes(text)) return []
    return [[line, `names '${text}', a module or tier; they are declared in YAML`]]
  })
}

interface Parsed {
  readonly path: string
  readonly imports: readonly Import[]
}

/** Each circle of imports once, those of types too, as `a.ts → b.ts → a.ts`. */
function importCycles(files: readonly Parsed[]): string[] {
  const targets = new Map(
    files.map(({ path, imports }) => [
      path,
      imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => posix.join(posix.dirname(path), specifier)),
    ]),
  )
  const done = new Set<string>()
  const cycles: string[] = []
  function visit(path: string, trail: readonly string[]): void {
    const start = trail.indexOf(path)
    if (start >= 0) {
      const circle = [...trail.slice(start), path].join(' → ')
      cycles.push(`${path}:1: imports run in a circle: ${circle}`)
      return
    }
    if (done.has(path)) return
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const { path } of files) visit(path, [])
  return cycles
}
