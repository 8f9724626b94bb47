import { createShapeCheck, type ShapeCheck } from '../../definition/grammar/shape.ts'
import {
  type Block,
  nameOf,
  readBlocks,
  unknownBlock,
  usesIn,
  type WrittenUse,
} from '../../definition/load/blocks.ts'
import { blockOrigins, valuesOf } from '../../definition/load/use-blocks.ts'
import type { Vocabulary } from '../../definition/model/vocabulary.ts'
import { fill } from '../../definition/normalise/parameters.ts'
import { placeIn } from '../../definition/yaml/origins.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import type { DefinitionProblem } from '../../definition/yaml/problems.ts'
import {
  isMap,
  type Origin,
  type Places,
  type SourceFile,
  withTexts,
  type YamlMap,
} from '../../definition/yaml/source.ts'
import { checksBefore, mergeReport } from './merge-report.ts'
import { reportBlockSchemaJson } from './report-block-schema.ts'
import { reportSchemaJson } from './report-schema.ts'

/** What the blocks of reports are taken in with. */
export interface ReportUsing {
  readonly blocks: ReadonlyMap<string, Block>
  /** The check of a report that need not be whole: what parameters make of a block is held to it. */
  readonly checkShape: ShapeCheck
  readonly places: Places
  readonly problems: DefinitionProblem[]
}

/** A report with its blocks taken in, and the files that its parts are from. */
export interface WrittenReport {
  readonly data: YamlMap
  readonly origins: readonly Origin[]
}

/** Parts as a file or block has them, with `use:` still in them. */
interface Written extends WrittenReport {
  /** Names of the blocks around it. */
  readonly within: readonly string[]
}

/** Key of a file that says what its block is for. */
const KIND = /^kind:/m

/** The blocks of reports among these files. Mistakes in them go to `problems`. */
export function readReportBlocks(
  layers: readonly (readonly SourceFile[])[],
  vocabulary: Pick<Vocabulary, 'modules' | 'tiers'>,
  places: Places,
  problems: DefinitionProblem[],
): Omit<ReportUsing, 'problems'> {
  // Most blocks are for DocTypes, and need not be read for it.
  const own = layers.map((files) => files.filter(({ text }) => KIND.test(text)))
  const blocks = readBlocks(own, {
    kind: 'report',
    merge: (base, own) => mergeReport([base, own], 'replaced'),
    checkShape: createShapeCheck(reportBlockSchemaJson(vocabulary)),
    places,
    problems,
  })
  const { required: _, else: __, ...parts } = reportSchemaJson(vocabulary)
  return { blocks, places, checkShape: createShapeCheck(parts) }
}

/** A report's file with its blocks taken in. Mistakes of how it uses them go to `problems`. */
export function expandReport(file: SourceFile, data: YamlMap, using: ReportUsing): WrittenReport {
  return expand({ data, origins: [{ file, pathOf: (path) => path }], within: [] }, using)
}

function expand(written: Written, using: ReportUsing): WrittenReport {
  const { use, ...own } = written.data
  const taken = usesIn(use).flatMap((one, at) => take(one, ['use', at], written, using))
  const all: readonly WrittenReport[] = [...taken, { data: own, origins: written.origins }]
  let checks = 0
  const origins = all.flatMap(({ data, origins }) => {
    const before = checks
    checks += Array.isArray(data.validate) ? data.validate.length : 0
    return origins.map((origin) => behind(origin, before))
  })
  return { data: mergeReport(all.map(({ data }) => data)), origins }
}

/** An origin whose checks stand behind this many others. */
function behind(origin: Origin, count: number): Origin {
  if (count === 0) return origin
  return {
    ...origin,
    pathOf(path) {
      const before = checksBefore(path, count)
      return before && origin.pathOf(before)
    },
  }
}

/** The parts of a block that a use takes; none of one that is not there or leads back to itself, which is told. */
function take(use: WrittenUse, path: Path, written: Written, using: ReportUsing): WrittenReport[] {
  const { blocks, checkShape, places, problems } = using
  const name = nameOf(use)
  const block = blocks.get(name)
  const given = typeof use === 'string' ? {} : use.with
  if (!block) {
    const at = typeof use === 'string' ? path : [...path, 'block']
    const message = unknownBlock(name, blocks)
    if (message !== undefined)
      problems.push({ ...placeIn(written.origins, at, 'value', places), message })
    return []
  }
  if (written.within.includes(name)) return []
  const placed = { path, with: [...path, 'with'] }
  const values = valuesOf(block, isMap(given) ? given : {}, placed, written, using)
  if (!values) return []
  const { kind: _, description: __, parameters: ___, extend: ____, ...parts } = block.data
  const filled = fill(parts, values) as YamlMap
  const origins = blockOrigins(block, values, written.origins, path, using)
  const literals: Path[] = []
  const shape = values.size === 0 ? [] : checkShape(filled, (literal) => literals.push(literal))
  for (const { path: wrong, part, message } of shape)
    problems.push({ ...placeIn(origins, wrong, part, places), message })
  const within = [...written.within, name]
  return [expand({ data: withTexts(filled, literals), origins, within }, using)]
}
