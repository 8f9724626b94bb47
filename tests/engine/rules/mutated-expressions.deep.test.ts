import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import {
  DefinitionErrors,
  type DefinitionProblem,
} from '../../../engine/definition/yaml/problems.ts'
import type { SourceFile } from '../../../engine/definition/yaml/source.ts'
import type { Field } from '../../../engine/fields/field.ts'
import { loadChecked } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'
import { type Random, randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { EVERY_SITE } from './every-site.ts'
import { MISTAKES, type Mistaken } from './expression-mistakes.ts'
import { SITE_KINDS, type Site, sitesOf } from './expression-sites.ts'

const SEEDS = seedsOf(import.meta.filename, [2_018_374_255])
/** How often all expressions are damaged at once, each time by another mistake. */
const ROUNDS = rounds(1)
/** Kinds of places of which one expression is damaged alone, nothing else being wrong. */
const KINDS_ALONE = rounds(5)

const SHIPPED = join(import.meta.dirname, '../../../doctypes')
/** Names that an action does not know: what was sent, what the record was, what is searched. */
const OF_ONE_WRITE = /\b(?:input|given|this|old)\./
const folder = mkdtempSync(join(tmpdir(), 'svc-mutated-'))
const files: readonly SourceFile[] = [
  ...globSync('!(reports|labels|workspaces)/*.yaml', { cwd: SHIPPED }).map((name) => ({
    path: join(folder, name),
    text: readFileSync(join(SHIPPED, name), 'utf8'),
  })),
  ...EVERY_SITE.split('\n---\n').map((text, index) => ({
    path: join(folder, `every-site-${index}.yaml`),
    text,
  })),
]

function write({ path, text }: SourceFile): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

for (const file of [...files, ...files.flatMap(usersOfLets)]) write(file)
const { registry } = loadChecked({ doctypes: [folder], hooks })
// What is wrong in a block is told in the words of who uses it: blocks.test.ts sees to that.
const sites = files
  .filter(({ path }) => !path.includes('/blocks/'))
  .flatMap(sitesWithUsedLets)
  .filter(isExpression)
console.log(`${sites.length} expressions in ${files.length} files`)

/**
 * Sites whose damage leaves no let unused, which is told before all else: an action beside the shipped ones uses every let
 * that means something there.
 */
function sitesWithUsedLets(file: SourceFile): Site[] {
  const { own, rows } = letsOf(file)
  // Rows with a file of their own have no actions.
  const { child } = parse(file.text) as Letting
  const unused = [own, ...rows.values()].flatMap((lets) =>
    [...lets].filter((one) => child === true || isOfOneWrite(lets)(one)),
  )
  if (unused.length === 0) return sitesOf(file)
  const named = new RegExp(`\\b(?:${unused.map(([name]) => name).join('|')})\\b`)
  return sitesOf(file).filter(({ source }) => !named.test(source))
}

/** A file that adds an action to a DocType whose condition says all its lets, and those of its rows. */
function usersOfLets(file: SourceFile): SourceFile[] {
  const { doctype, child } = parse(file.text) as Letting
  const { own, rows } = letsOf(file)
  if (doctype === undefined || child === true) return []
  const same = (lets: Lets, record: string): string[] =>
    [...lets]
      .filter((one) => !isOfOneWrite(lets)(one))
      .map(([name]) => `${record}${name} == ${record}${name}`)
  const said = [
    ...same(own, ''),
    ...[...rows].flatMap(([table, lets]) =>
      same(lets, 'x.').map((one) => `${table}.exists(x, ${one})`),
    ),
  ]
  const actions = said.map(
    (when, index) =>
      `  says_let_${index}: {when: ${JSON.stringify(when)}, steps: [{create: Note, set: {title: '"x"'}}]}\n`,
  )
  if (actions.length === 0) return []
  const path = file.path.replace(/\.yaml$/, '-lets.yaml')
  return [{ path, text: `doctype: ${doctype}\nextend: true\nactions:\n${actions.join('')}` }]
}

type Lets = ReadonlyMap<string, string>

/** The lets of a DocType and of its tables. */
function letsOf({ text }: SourceFile): { own: Lets; rows: ReadonlyMap<string, Lets> } {
  const { let: own, fields } = parse(text) as Letting
  const rows = Object.entries(fields ?? {}).map(
    ([name, field]) => [name, letsIn(field.let)] as const,
  )
  return { own: letsIn(own), rows: new Map(rows) }
}

function letsIn(lets: Letting['let'] = {}): Lets {
  // A let that is a list names fields and is no expression.
  const said = Object.entries(lets).filter(([, text]) => !Array.isArray(text))
  return new Map(said.map(([name, text]) => [name, String(text)]))
}

/** Whether a let reads what only one write knows, itself or by another let. */
function isOfOneWrite(lets: Lets): (one: readonly [string, string]) => boolean {
  const isOne = ([name, text]: readonly [string, string]): boolean =>
    OF_ONE_WRITE.test(text) ||
    [...lets].some(
      ([other, more]) =>
        other !== name && new RegExp(`\\b${other}\\b`).test(text) && isOne([other, more]),
    )
  return isOne
}

interface Letting {
  readonly doctype?: string
  readonly child?: boolean
  readonly let?: Readonly<Record<string, unknown>>
  readonly fields?: Readonly<Record<string, Letting>>
}

/** A default may also be a plain value, which is no expression. */
function isExpression({ doctype, kind, path }: Site): boolean {
  if (!kind.endsWith(' default')) return true
  const definition = registry.byDoctype(doctype)
  assert.ok(definition, doctype)
  const field = path.slice(0, -1).reduce<readonly Field[] | Field | undefined>((at, step) => {
    if (step === 'fields') return at && 'child' in at ? at.child?.fields : definition.fields
    if (step === 'actions' || step === 'input') return definition.fields
    return (at as readonly Field[] | undefined)?.find(({ name }) => name === step)
  }, undefined)
  const input = Object.entries(definition.behaviour.actions ?? {}).flatMap(([name, action]) =>
    path[1] === name ? (action.input ?? []) : [],
  )
  const found = path[0] === 'actions' ? input.find(({ name }) => name === path[3]) : field
  assert.ok(found && 'name' in found, `${doctype}: ${path.join('.')}`)
  return found.defaultValue === undefined
}

/** A mistake put into an expression, and where it must be told. */
interface Damage extends Mistaken {
  readonly site: Site
  readonly mistake: string
  /** The scalar as it is written in the file. */
  readonly written: string
  /** Whether every letter of the expression stands in the file as one, so that columns are exact. */
  readonly isExact: boolean
}

const OPTION_LIKE = /^[\p{L}\p{N}][\p{L}\p{N}_ -]*$/u

/** Damages of an expression without end, each by another mistake until all that apply were made. */
function* damagesOf(site: Site, random: Random): Generator<Damage, never> {
  for (;;) {
    for (const mistake of shuffled(Object.keys(MISTAKES), random)) {
      const made = MISTAKES[mistake]!(site.source.trim(), random)
      if (!made || made.text.length > 1900) continue
      // The default of a select could be meant as one of its options, which is another mistake.
      if (site.kind.endsWith(' default') && OPTION_LIKE.test(made.text)) continue
      yield { ...made, site, mistake, ...scalarOf(made.text.trim(), site, random) }
    }
  }
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  return values
    .map((value) => ({ value, key: random.next() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value)
}

const PLAIN = /^[A-Za-z(][\w .+*()<>=&|"'/-]*$/

/** The expression as a YAML scalar of one line, in the style it had where that can hold it. */
function scalarOf(
  text: string,
  { isPlain }: Site,
  random: Random,
): Pick<Damage, 'written' | 'isExact'> {
  if (isPlain && PLAIN.test(text) && !/[:#]/.test(text)) return { written: text, isExact: true }
  if (random.chance(0.5) && !text.includes('\n'))
    return { written: `'${text.replaceAll("'", "''")}'`, isExact: !text.includes("'") }
  const written = JSON.stringify(text)
  return { written, isExact: written.length === text.length + 2 }
}

interface Place {
  readonly line: number
  /** Columns of the first letter and of the place after the last one. */
  readonly from: number
  readonly to: number
}

/** The file with its expressions damaged, and where each of them stands in it then. */
function damaged(
  file: SourceFile,
  damages: readonly Damage[],
): { text: string; places: Map<Damage, Place> } {
  let text = ''
  let rest = 0
  const places = new Map<Damage, Place>()
  for (const one of damages.toSorted((a, b) => a.site.start - b.site.start)) {
    text += file.text.slice(rest, one.site.start)
    const line = text.split('\n').length
    const column = text.length - text.lastIndexOf('\n')
    const from = column + (/^['"]/.test(one.written) ? 1 : 0)
    places.set(one, { line, from, to: column + one.written.length })
    // A block scalar ends with its line break, a quoted one does not.
    const isBlock = file.text[one.site.end - 1] === '\n'
    text += one.written + (isBlock ? '\n' : '')
    rest = one.site.end
  }
  return { text: text + file.text.slice(rest), places }
}

/** Loads the folder as a server does. */
function load(): readonly DefinitionProblem[] {
  try {
    loadChecked({ doctypes: [folder], hooks })
    return []
  } catch (error) {
    if (error instanceof DefinitionErrors) return error.problems
    throw error
  }
}

/** Writes the files with these expressions damaged, loads, restores; every mistake must be told where it is, and nothing else. */
function assertRefused(damages: readonly Damage[], seed: number): void {
  const byFile = Map.groupBy(damages, ({ site }) => site.file)
  const placed = [...byFile].map(([file, list]) => ({ file, ...damaged(file, list) }))
  for (const { file, text } of placed) write({ path: file.path, text })
  const problems = load()
  for (const { file } of placed) write(file)
  const lines = new Set<string>()
  for (const { file, places } of placed) {
    for (const [one, place] of places) {
      lines.add(`${file.path}:${place.line}`)
      assertTold(one, place, problems, seed)
    }
  }
  for (const { file, line, message } of problems)
    assert.ok(
      lines.has(`${file}:${line}`),
      `seed ${seed}: told where nothing is wrong: ${file}:${line}: ${message}`,
    )
}

function assertTold(
  { site, mistake, written, text, offset, isExact }: Damage,
  { line, from, to }: Place,
  problems: readonly DefinitionProblem[],
  seed: number,
): void {
  const { path } = site.file
  const told = problems.filter((problem) => problem.file === path && problem.line === line)
  const label = `seed ${seed}: ${site.kind} of ${site.doctype}, ${mistake}, at ${path}:${line}:${from}: ${written}`
  assert.ok(
    told.some(({ column }) => column >= from && column <= to),
    `${label}\n${told.map(({ column, message }) => `${column}: ${message}`).join('\n') || 'is not told'}`,
  )
  if (!isExact || offset === undefined) return
  const here = told.filter(({ message }) => message.includes(text.replace(/\s+/g, ' ').trim()))
  assert.ok(
    here.some(({ column }) => column === from + offset),
    `${label}\nexpected column ${from + offset}\n${told.map(({ column, message }) => `${column}: ${message}`).join('\n')}`,
  )
}

const mistakes = suite('a mistake in an expression of a YAML file')
mistakes.after(() => rmSync(folder, { recursive: true, force: true }))

mistakes('is looked for in every kind of place', () => {
  const found = new Set(sites.map(({ kind }) => kind))
  assert.equal([...found].toSorted(), [...SITE_KINDS].toSorted())
  assert.ok(sites.length > 300, `only ${sites.length} expressions`)
})

for (const seed of SEEDS) {
  mistakes(`is refused when loaded, at its file, line and column (seed ${seed})`, () => {
    const random = randomOf(seed)
    const damages = sites.map((site) => damagesOf(site, random))
    for (let round = 0; round < ROUNDS; round += 1)
      assertRefused(
        damages.map((damage) => damage.next().value),
        seed,
      )
  })

  mistakes(`is refused when it is the only one (seed ${seed})`, () => {
    const random = randomOf(seed + 1)
    const kinds = shuffled([...Map.groupBy(sites, ({ kind }) => kind).values()], random)
    for (const list of kinds.slice(0, KINDS_ALONE))
      assertRefused([damagesOf(random.one(list), random).next().value], seed)
  })
}

mistakes.run()
