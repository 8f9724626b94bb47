import { suggest } from '../../base/suggest.ts'
import { type Parse, parseExpression } from '../../expression/syntax/parse.ts'
import { blockSchemaJson } from '../grammar/block-schema.ts'
import { metaSchemaJson } from '../grammar/meta-schema.ts'
import { createShapeCheck, type ShapeCheck } from '../grammar/shape.ts'
import { takeInLets } from '../lets/take-in-lets.ts'
import type { Vocabulary } from '../model/vocabulary.ts'
import { expandCopies } from '../normalise/expand-copies.ts'
import { mergeParts } from '../normalise/merge-parts.ts'
import { placeIn } from '../yaml/origins.ts'
import type { Path } from '../yaml/parse.ts'
import type { DefinitionProblem } from '../yaml/problems.ts'
import {
  isMap,
  joinPath,
  type Places,
  type RawDocType,
  readSource,
  type SourceFile,
  withoutMistakes,
  withTexts,
  type YamlMap,
} from '../yaml/source.ts'
import { isBlockFile, readBlocks } from './blocks.ts'
import { carryDimensions, dimensionOf } from './dimensions.ts'
import { expandFile, type Using } from './use-blocks.ts'

/** The files of each folder, in the order of the folders. */
export type Layers = readonly (readonly SourceFile[])[]

/** All DocTypes of a load as written, by name. */
export interface Merged {
  readonly raws: ReadonlyMap<string, RawDocType>
  /** Every name a file claims, also of files that could not be used. */
  readonly names: ReadonlySet<string>
}

interface ReadFile {
  readonly file: SourceFile
  readonly doctype: string
  readonly data: YamlMap
  readonly removed: readonly string[]
}

/**
 * The DocTypes of these folders with their blocks and dimensions taken in, later folders over earlier ones. Which blocks there are is
 * known before the first is used: a folder that changes a shipped block changes the shipped DocTypes that use it.
 */
export function mergeLayers(
  layers: Layers,
  vocabulary: Pick<Vocabulary, 'modules' | 'tiers'>,
  places: Places,
  problems: DefinitionProblem[],
  parse: Parse = parseExpression,
): Merged {
  const checkShape = createShapeCheck(metaSchemaJson(vocabulary))
  const blocks = readBlocks(layers, {
    kind: 'doctype',
    merge: (base, own) => mergeParts(base, [], own, 'base'),
    checkShape: createShapeCheck(blockSchemaJson(vocabulary)),
    places,
    problems,
  })
  const read = layers.map((layer) =>
    layer
      .filter((file) => !isBlockFile(file))
      .flatMap((file) => readOne(file, checkShape, places, problems) ?? []),
  )
  const dimensions = read.flat().flatMap((one) => dimensionOf(one) ?? [])
  const using: Using = { blocks, dimensions, checkShape, places, problems }
  const raws = new Map<string, RawDocType>()
  for (const files of read) {
    const seen = new Map<string, SourceFile>()
    // Overlays come after the DocTypes of their own folder, whatever the files are called.
    for (const read of files.toSorted(
      (a, b) => Number(a.data.extend === true) - Number(b.data.extend === true),
    )) {
      addFile(read, raws, seen, using)
    }
  }
  const names = new Set(read.flat().map(({ doctype }) => doctype))
  return { raws: takeInLets(carryDimensions(raws), places, problems, parse), names }
}

function readOne(
  file: SourceFile,
  checkShape: ShapeCheck,
  places: Places,
  problems: DefinitionProblem[],
): ReadFile | undefined {
  const { data, problems: syntax } = readSource(file)
  problems.push(...syntax)
  if (syntax.length > 0) return undefined
  const literals: Path[] = []
  const shape = checkShape(data, (path) => literals.push(path))
  for (const { path, part, message } of shape)
    problems.push({ file: file.path, ...places.at(file, path, part), message })
  if (!isMap(data)) return undefined
  const kept = withoutMistakes(withTexts(data, literals), shape)
  if (typeof kept.doctype !== 'string') return undefined
  const removed = shape.flatMap(({ remove }) => (remove ? [joinPath(remove)] : []))
  return { file, doctype: kept.doctype, data: kept, removed }
}

function addFile(
  { file, doctype, data, removed }: ReadFile,
  raws: Map<string, RawDocType>,
  seen: Map<string, SourceFile>,
  using: Using,
): void {
  const { places, problems } = using
  const complain = (path: Path, message: string): void => {
    problems.push({ file: file.path, ...places.at(file, path, 'value'), message })
  }
  const { extend, ...parts } = data
  if (extend === true) {
    const base = raws.get(doctype)
    if (!base) {
      const near = suggest(doctype, raws.keys())
      complain(
        ['doctype'],
        `no DocType ${JSON.stringify(doctype)} to extend${near === undefined ? '' : `; did you mean ${near}?`}`,
      )
      return
    }
    const over = { ...base, removed: [...base.removed] }
    raws.set(doctype, rawOf(doctype, expandFile(file, parts, removed, over, using), using))
    return
  }
  const twin = seen.get(doctype)
  if (twin)
    complain(
      ['doctype'],
      `${doctype} is already declared in ${twin.path}; remove one, or extend it with extend: true`,
    )
  seen.set(doctype, file)
  raws.set(doctype, rawOf(doctype, expandFile(file, parts, removed, undefined, using), using))
}

function rawOf(
  doctype: string,
  { data: written, origins, removed }: ReturnType<typeof expandFile>,
  { places, problems }: Using,
): RawDocType {
  const own = origins.filter(({ use }) => use === undefined)
  const files = [...own, ...origins].map(({ file }) => file)
  const expanded = expandCopies(written, origins, (path, message, part = 'value') =>
    problems.push({ ...placeIn(origins, path, part, places), message }),
  )
  return { doctype, ...expanded, files: [...new Set(files)], removed: new Set(removed) }
}
