import { basename, dirname, extname } from 'node:path'
import { suggest } from '../../base/suggest.ts'
import type { ShapeCheck } from '../grammar/shape.ts'
import { namedParameters } from '../normalise/parameters.ts'
import type { Path } from '../yaml/parse.ts'
import type { DefinitionProblem } from '../yaml/problems.ts'
import {
  isMap,
  type Places,
  readSource,
  type SourceFile,
  withoutMistakes,
  withTexts,
  type YamlMap,
} from '../yaml/source.ts'

/** Folder of the blocks in a folder of DocTypes. */
const BLOCKS = 'blocks'

/** What several DocTypes share, with the files of later folders that extend it merged in. */
export interface Block {
  readonly name: string
  readonly data: YamlMap
  /** Its file and those that extend it, each with what it says. */
  readonly files: readonly { readonly file: SourceFile; readonly data: YamlMap }[]
}

/** Kind of what a block has parts of: a report's says `kind: report`. */
export type BlockKind = 'doctype' | 'report'

/** What the blocks of a kind are read with. */
export interface BlockReading {
  readonly kind: BlockKind
  /** A block's parts with those of a file that extends it. */
  readonly merge: (base: YamlMap, own: YamlMap) => YamlMap
  readonly checkShape: ShapeCheck
  readonly places: Places
  readonly problems: DefinitionProblem[]
}

/** A use of a block as it is written: its name alone, or a map with it. */
export type WrittenUse = string | (YamlMap & { readonly block?: string })

/** Uses in a `use:`. */
export function usesIn(use: unknown): readonly WrittenUse[] {
  return Array.isArray(use) ? (use as WrittenUse[]) : []
}

/** Name of the block that is used; empty where it was a mistake of shape, which is told already. */
export function nameOf(use: WrittenUse): string {
  return typeof use === 'string' ? use : (use.block ?? '')
}

/** Whether a file is that of a block: it lies in a folder `blocks`, and its name is the block's. */
export function isBlockFile({ path }: SourceFile): boolean {
  return basename(dirname(path)) === BLOCKS
}

/**
 * The blocks of one kind in these folders by name, later folders over earlier ones, with `extend: true` as DocTypes. Their
 * mistakes go to `problems`: shapes, parameters, blocks that lead back to themselves (which are then nobody's).
 */
export function readBlocks(
  layers: readonly (readonly SourceFile[])[],
  reading: BlockReading,
): ReadonlyMap<string, Block> {
  const blocks = new Map<string, Block>()
  for (const layer of layers) {
    const files = layer.filter(isBlockFile).flatMap((file) => readBlock(file, reading))
    for (const read of files) addBlock(read, files, blocks, reading)
  }
  for (const block of blocks.values()) checkParameters(block, reading)
  for (const block of blocks.values()) checkUses(block, blocks, reading)
  return blocks
}

type ReadBlock = Block['files'][number] & { readonly name: string }

function readBlock(file: SourceFile, reading: BlockReading): ReadBlock[] {
  const { kind, checkShape, places, problems } = reading
  const { data, problems: syntax } = readSource(file)
  problems.push(...syntax)
  if (syntax.length > 0 || kindOf(data) !== kind) return []
  // What a parameter is part of, is checked when it is filled in.
  const literals: Path[] = []
  const shape = checkShape(data, (path) => literals.push(path)).filter(
    ({ path }) => !hasParameter(data, path),
  )
  for (const { path, part, message } of shape)
    problems.push({ file: file.path, ...places.at(file, path, part), message })
  if (!isMap(data)) return []
  const name = basename(file.path, extname(file.path))
  return [{ name, file, data: withoutMistakes(withTexts(data, literals), shape) }]
}

function kindOf(data: unknown): BlockKind {
  return isMap(data) && data.kind === 'report' ? 'report' : 'doctype'
}

function hasParameter(data: unknown, path: Path): boolean {
  let at = data
  for (const step of path) at = (at as Readonly<Record<string | number, unknown>> | null)?.[step]
  const texts = [path.at(-1), ...(Array.isArray(at) ? at : [at])]
  return texts.some((text) => typeof text === 'string' && namedParameters(text).length > 0)
}

function addBlock(
  { name, file, data }: ReadBlock,
  layer: readonly ReadBlock[],
  blocks: Map<string, Block>,
  { merge, places, problems }: BlockReading,
): void {
  const first = layer.find((other) => other.name === name)
  if (first && first.file !== file) {
    const message = `the block ${name} is already declared in ${first.file.path}; remove one`
    problems.push({ file: file.path, line: 1, column: 1, message })
    return
  }
  if (data.extend !== true) {
    blocks.set(name, { name, data, files: [{ file, data }] })
    return
  }
  const base = blocks.get(name)
  if (!base) {
    const message = `no block ${name} to extend${meant(name, blocks)}`
    problems.push({ file: file.path, ...places.at(file, ['extend'], 'key'), message })
    return
  }
  const { extend: _, ...own } = data
  blocks.set(name, {
    name,
    data: merge(base.data, own),
    files: [...base.files, { file, data }],
  })
}

/** Parameters that are not declared, and those that nothing of the block names. */
function checkParameters({ data, files }: Block, { places, problems }: BlockReading): void {
  const { parameters, ...rest } = data
  const declared = isMap(parameters) ? Object.keys(parameters) : []
  const named = namedParameters(rest)
  const complain = (path: Path, part: 'key' | 'value', message: string): void => {
    problems.push({ ...places.in(sourcesOf(files), path, part), message })
  }
  for (const { name, path, part } of named) {
    if (declared.includes(name)) continue
    const near = suggest(name, declared)
    const hint = near === undefined ? `; declare it under parameters:` : `; did you mean $${near}?`
    complain(path, part, `the block has no parameter ${name}${hint}`)
  }
  for (const name of declared)
    if (!named.some((one) => one.name === name))
      complain(['parameters', name], 'key', `nothing of the block names $${name}; remove it`)
}

/** Blocks that are not there, and those that use themselves by way of others. */
function checkUses(
  { name, data, files }: Block,
  blocks: ReadonlyMap<string, Block>,
  { places, problems }: BlockReading,
): void {
  for (const { use, path } of allUses(data)) {
    const used = nameOf(use)
    if (used === '') continue
    const way = wayTo(name, used, blocks, [name])
    const wrong =
      unknownBlock(used, blocks) ??
      (way && `a block cannot use itself: ${[...way, name].join(' → ')}`)
    if (wrong !== undefined)
      problems.push({ ...places.in(sourcesOf(files), path, 'value'), message: wrong })
  }
}

/** What is wrong with the name of a block; undefined when it is there, or empty. */
export function unknownBlock(name: string, blocks: ReadonlyMap<string, Block>): string | undefined {
  if (name === '' || blocks.has(name)) return undefined
  return `no block ${JSON.stringify(name)}${meant(name, blocks)}`
}

function meant(name: string, blocks: ReadonlyMap<string, Block>): string {
  const near = suggest(name, blocks.keys())
  return near === undefined ? '' : `; did you mean ${near}?`
}

/** Names of the blocks from one that uses another to the one looked for; undefined when it does not lead there. */
function wayTo(
  goal: string,
  from: string,
  blocks: ReadonlyMap<string, Block>,
  way: readonly string[],
): readonly string[] | undefined {
  if (from === goal) return way
  if (way.includes(from)) return undefined
  for (const { use } of allUses(blocks.get(from)?.data ?? {})) {
    const found = wayTo(goal, nameOf(use), blocks, [...way, from])
    if (found) return found
  }
  return undefined
}

/** The uses of a DocType or block, those in its tables too, with their paths. */
function allUses({ use, fields }: YamlMap): { readonly use: WrittenUse; readonly path: Path }[] {
  const own = usesIn(use).map((one, at) => ({ use: one, path: ['use', at] }))
  const rows = Object.entries(isMap(fields) ? fields : {}).flatMap(([name, field]) =>
    usesIn(isMap(field) ? field.use : undefined).map((one, at) => ({
      use: one,
      path: ['fields', name, 'use', at],
    })),
  )
  // What has no name has been told with the shape of the file.
  return [...own, ...rows].filter(({ use }) => typeof nameOf(use) === 'string')
}

function sourcesOf(files: Block['files']): readonly SourceFile[] {
  return files.map(({ file }) => file)
}
