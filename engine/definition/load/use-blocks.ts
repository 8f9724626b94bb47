import { once } from '../../base/once.ts'
import { suggest } from '../../base/suggest.ts'
import { fieldTypes } from '../../fields/index.ts'
import type { ShapeCheck } from '../grammar/shape.ts'
import type { Dimension } from '../model/dimension.ts'
import { beforeJoin, type Lengths, lengthsOf, mergeParts } from '../normalise/merge-parts.ts'
import { fill, type Values, writtenPath } from '../normalise/parameters.ts'
import { type Order, placeFields } from '../normalise/place-fields.ts'
import { placeIn } from '../yaml/origins.ts'
import type { Path } from '../yaml/parse.ts'
import type { DefinitionProblem } from '../yaml/problems.ts'
import type { ShapeProblem } from '../yaml/shape-problem.ts'
import {
  isMap,
  joinPath,
  type Origin,
  type Places,
  type SourceFile,
  type Use,
  withoutMistakes,
  withTexts,
  type YamlMap,
} from '../yaml/source.ts'
import { type Block, nameOf, unknownBlock } from './blocks.ts'
import { withMissing, wrongLink } from './missing-parts.ts'
import { type PlacedUse, pieceUses, placedUses } from './placed-uses.ts'
import { wrongPlaces } from './wrong-places.ts'

/** What uses of blocks are expanded with. */
export interface Using {
  readonly blocks: ReadonlyMap<string, Block>
  /** The dimensions of the books, for blocks that are used once for each. */
  readonly dimensions: readonly Dimension[]
  /** The check of DocTypes: what parameters make of a block is held to it. */
  readonly checkShape: ShapeCheck
  readonly places: Places
  readonly problems: DefinitionProblem[]
}

/** What mistakes are told with. */
type Telling = Pick<Using, 'places' | 'problems'>

/** Parts of a DocType with all blocks merged in, and the files that each comes from. */
export interface Expanded {
  readonly data: YamlMap
  /** Where its parts come from; the later of two that have one counts. */
  readonly origins: readonly Origin[]
  /** Paths that were left out for their mistakes, each joined by NUL. */
  readonly removed: readonly string[]
}

/** Parts as a file or block has them, with `use:` still in them. */
interface Written extends Expanded {
  /** Names of the blocks around it. */
  readonly within: readonly string[]
}

/** Parts of a block as one use takes them. */
interface Taken extends Expanded {
  readonly after: string | undefined
  readonly placed: PlacedUse
}

const NOTHING: Expanded = { data: {}, origins: [], removed: [] }

/** The parts of a DocType's file with its blocks taken in; over `base`, where the file extends one. */
export function expandFile(
  file: SourceFile,
  data: YamlMap,
  removed: readonly string[],
  base: Expanded | undefined,
  using: Using,
): Expanded {
  const origins: Origin[] = [{ file, pathOf: (path) => path }]
  return expand(
    { data, origins, removed, within: [] },
    base ?? NOTHING,
    base ? 'base' : 'own',
    using,
  )
}

function expand(written: Written, base: Expanded, order: Order, using: Using): Expanded {
  const { use, ...own } = written.data
  const isDocType = written.within.length === 0
  const uses = placedUses(use, [], using.dimensions)
  const pieces = isDocType ? pieceUses(String(own.doctype), own) : []
  checkPieces(pieces, base, written, using)
  const taken = [...uses, ...pieces].flatMap((one) => take(one, written, using))
  const blocks = isDocType ? withMissing(taken, [base.data, own]) : taken
  const rows = expandRows(own, written, using)
  const ownData =
    rows.length === 0 ? own : { ...own, fields: { ...mapOf(own.fields), ...rowsOf(rows) } }
  const data = mergeParts(base.data, blocks, ownData, order)
  checkPlaces(blocks, mapOf(data.fields), written, using)
  for (const { path, message } of wrongPlaces(own, data)) complain(written, using, path, message)
  if (isDocType) checkLinks(blocks, mapOf(data.fields), written, using)

  let lengths = lengthsOf(base.data)
  const added = blocks.flatMap(({ origins, data: parts }) => {
    const before = lengths
    lengths = lengths.map((length, at) => length + (lengthsOf(parts)[at] ?? 0))
    return origins.map((origin) => behind(origin, before))
  })
  const shift = order === 'own' ? lengths : []
  return {
    data,
    origins: [
      ...base.origins,
      ...rows.flatMap(({ origins }) => origins),
      ...added,
      ...written.origins.map((origin) => behind(origin, shift)),
    ],
    removed: [
      ...base.removed,
      ...[...blocks, ...rows].flatMap((parts) => parts.removed),
      ...written.removed,
    ],
  }
}

/** A file that extends a DocType does not take a piece in a second time: its rules would hold twice. */
function checkPieces(
  pieces: readonly PlacedUse[],
  { data }: Expanded,
  written: Written,
  using: Using,
): void {
  for (const { path } of pieces)
    if (data[String(path[0])] !== undefined)
      complain(written, using, path, 'the DocType has it already; change its fields', 'key')
}

const mapOf = (value: unknown): YamlMap => (isMap(value) ? value : {})

interface Rows extends Omit<Expanded, 'data'> {
  readonly table: string
  readonly field: YamlMap
}

const rowsOf = (rows: readonly Rows[]): YamlMap =>
  Object.fromEntries(rows.map(({ table, field }) => [table, field]))

/** Words of a block that rows of a table take. */
const ROW_PARTS: readonly string[] = ['fields', 'find', 'let']

const hasRows = (type: unknown): boolean => fieldTypes.get(String(type))?.optionsMean === 'rows'

/** The tables that use blocks, with their rows' fields; `use` stays where a field is no table, which is a mistake. */
function expandRows({ fields }: YamlMap, written: Written, using: Using): Rows[] {
  return Object.entries(mapOf(fields)).flatMap(([table, field]) => {
    if (!isMap(field) || !Array.isArray(field.use)) return []
    if (field.type !== undefined && !hasRows(field.type)) return []
    const { use, ...rest } = field
    const blocks = placedUses(use, ['fields', table], using.dimensions).flatMap((one) =>
      take(one, written, using),
    )
    for (const { data, placed } of blocks)
      for (const part of Object.keys(data))
        if (!ROW_PARTS.includes(part))
          complain(
            written,
            using,
            placed.path,
            `the block has ${part}, but rows of a table take fields, find and let alone`,
          )
    const placed = blocks.map(({ data, after }) => ({ fields: mapOf(data.fields), after }))
    const rows = placeFields({}, placed, mapOf(rest.fields), 'own')
    checkPlaces(blocks, rows, written, using)
    const prefix: Path = ['fields', table]
    const named = (word: 'find' | 'let'): YamlMap => {
      const all = [...blocks.map(({ data }) => data[word]), rest[word]].map(mapOf)
      const merged: YamlMap = Object.assign({}, ...all)
      return Object.keys(merged).length === 0 ? {} : { [word]: merged }
    }
    return {
      table,
      field: { ...rest, fields: rows, ...named('find'), ...named('let') },
      origins: blocks.flatMap(({ origins }) => origins.map((origin) => below(origin, prefix))),
      removed: blocks.flatMap(({ removed }) => removed.map((path) => joinPath([...prefix, path]))),
    }
  })
}

/** An origin whose lists stand behind these many entries of others. */
function behind(origin: Origin, lengths: Lengths): Origin {
  if (lengths.every((length) => length === 0)) return origin
  return {
    ...origin,
    pathOf(path) {
      const before = beforeJoin(path, lengths)
      return before && origin.pathOf(before)
    },
  }
}

/** An origin whose parts stand below a path. */
function below(origin: Origin, prefix: Path): Origin {
  return {
    ...origin,
    pathOf: (path) =>
      prefix.every((step, at) => path[at] === step)
        ? origin.pathOf(path.slice(prefix.length))
        : undefined,
  }
}

/** The parts of a block that a use takes; none of one that is not there or leads back to itself, which is told. */
function take(placed: PlacedUse, written: Written, using: Using): Taken[] {
  const { blocks, checkShape, places, problems } = using
  const { use, path } = placed
  const name = nameOf(use)
  if (name === '') return []
  const block = blocks.get(name)
  const options = typeof use === 'string' ? undefined : use
  if (!block) {
    const at = options ? [...path, 'block'] : path
    const unknown = unknownBlock(name, blocks)
    if (unknown !== undefined) complain(written, using, at, unknown)
    return []
  }
  if (written.within.includes(name)) return []
  const values = valuesOf(block, mapOf(options?.with), placed, written, using)
  if (!values) return []
  const { parameters: _, description: __, extend: ___, ...parts } = block.data
  const filled = fill(parts, values) as YamlMap
  const origins = blockOrigins(block, values, written.origins, path, using)
  const { missing, ...plain } = filled
  const literals: Path[] = []
  const checked = (parts: YamlMap, prefix: Path): readonly ShapeProblem[] =>
    values.size === 0
      ? []
      : checkShape({ doctype: 'Block', extend: true, ...parts }, (path) =>
          literals.push([...prefix, ...path]),
        )
  const shape = [
    ...checked(plain, []),
    ...(isMap(missing) ? belowMissing(checked(missing, ['missing'])) : []),
  ]
  for (const { path: wrong, part, message } of shape)
    problems.push({ ...placeIn(origins, wrong, part, places), message })
  const taken = expand(
    {
      data: withoutMistakes(withTexts(filled, literals), shape),
      origins,
      removed: shape.flatMap(({ remove }) => (remove ? [joinPath(remove)] : [])),
      within: [...written.within, name],
    },
    NOTHING,
    'own',
    using,
  )
  const data = leaveOut(taken.data, options?.without, path, written, using)
  return [{ ...taken, data, after: options?.after as string | undefined, placed }]
}

/** Mistakes of the parts below `missing`, where they stand in the block. */
function belowMissing(problems: readonly ShapeProblem[]): readonly ShapeProblem[] {
  return problems.map((problem) => ({
    ...problem,
    path: ['missing', ...problem.path],
    ...(problem.remove ? { remove: ['missing', ...problem.remove] } : {}),
  }))
}

/** The files of a block that a use takes in, with the use behind them; its place is looked for when somebody asks. */
export function blockOrigins(
  { files }: Block,
  values: Values,
  origins: readonly Origin[],
  path: Path,
  using: Pick<Using, 'places'>,
): Origin[] {
  const use = once(() => useAt(origins, path, using))
  return files.map(({ file, data }) => ({
    file,
    pathOf: (inBlock) => writtenPath(data, inBlock, values),
    use,
  }))
}

/** The file and path of a use: of parts that several files have, in the last that has it. */
function useAt(
  origins: readonly Origin[],
  path: Path,
  { places }: Pick<Using, 'places'>,
): Use | undefined {
  for (const { file, pathOf, use } of origins.toReversed()) {
    const inFile = pathOf(path)
    if (inFile && places.has(file, inFile)) return { file, path: inFile, by: use }
  }
  return undefined
}

/** Values of all parameters of a block; undefined where one is missing, which is told. */
export function valuesOf(
  { name, data }: Block,
  given: YamlMap,
  placed: Pick<PlacedUse, 'path' | 'with'>,
  written: Pick<Written, 'origins'>,
  using: Telling,
): Values | undefined {
  const declared = mapOf(data.parameters)
  for (const parameter of Object.keys(given)) {
    if (Object.hasOwn(declared, parameter)) continue
    const near = suggest(parameter, Object.keys(declared))
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    complain(
      written,
      using,
      [...placed.with, parameter],
      `the block ${name} has no parameter ${parameter}${hint}`,
      'key',
    )
  }
  const values = new Map<string, unknown>()
  for (const [parameter, about] of Object.entries(declared)) {
    const value = given[parameter] ?? mapOf(about).default
    if (value === undefined)
      complain(written, using, placed.path, `the block ${name} needs with: {${parameter}: …}`)
    else values.set(parameter, value)
  }
  return values.size === Object.keys(declared).length ? values : undefined
}

/** The parts without the fields, and keys of fields, that a use leaves out. */
function leaveOut(
  parts: YamlMap,
  without: unknown,
  path: Path,
  written: Written,
  using: Using,
): YamlMap {
  if (!Array.isArray(without)) return parts
  const fields: Record<string, unknown> = { ...mapOf(parts.fields) }
  for (const [at, text] of (without as string[]).entries()) {
    const [name = '', key] = text.split('.')
    const field = fields[name]
    if (key === undefined && field !== undefined) delete fields[name]
    else if (key !== undefined && isMap(field) && Object.hasOwn(field, key)) {
      const { [key]: _, ...rest } = field
      fields[name] = rest
    } else {
      const near = suggest(name, Object.keys(fields))
      const hint = near === undefined || near === name ? '' : `; did you mean ${near}?`
      complain(written, using, [...path, 'without', at], `the block has no ${text}${hint}`)
    }
  }
  return { ...parts, fields }
}

function checkPlaces(
  blocks: readonly Taken[],
  fields: YamlMap,
  written: Written,
  using: Using,
): void {
  for (const { after, placed } of blocks) {
    if (after === undefined || Object.hasOwn(fields, after)) continue
    const near = suggest(after, Object.keys(fields))
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    const { path, behind } = placed
    complain(written, using, [...path, behind], `no field ${after} to stand behind${hint}`)
  }
}

/** Reports parameters that name no field, or one that does not link to what the block wants. */
function checkLinks(
  taken: readonly Taken[],
  fields: YamlMap,
  written: Written,
  using: Using,
): void {
  for (const { placed } of taken) {
    const block = using.blocks.get(nameOf(placed.use))
    const given = typeof placed.use === 'string' ? {} : mapOf(placed.use.with)
    for (const [parameter, about] of Object.entries(mapOf(block?.data.parameters))) {
      const { link } = mapOf(about)
      if (typeof link !== 'string' || given[parameter] === undefined) continue
      const wrong = wrongLink(given[parameter], link, fields)
      if (wrong !== undefined) complain(written, using, [...placed.with, parameter], wrong)
    }
  }
}

function complain(
  { origins }: Pick<Written, 'origins'>,
  { places, problems }: Telling,
  path: Path,
  message: string,
  part: 'key' | 'value' = 'value',
): void {
  problems.push({ ...placeIn(origins, path, part, places), message })
}
