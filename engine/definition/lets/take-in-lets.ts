import type { Parse } from '../../expression/syntax/parse.ts'
import { locate } from '../../expression/tree/problem.ts'
import { RECORD_NAMES, takenFieldName } from '../model/standard-fields.ts'
import { normaliseStatus } from '../normalise/flow.ts'
import { placeIn } from '../yaml/origins.ts'
import type { DefinitionProblem } from '../yaml/problems.ts'
import { isMap, joinPath, type Places, type RawDocType, type YamlMap } from '../yaml/source.ts'
import { expandLets, isTable, letLevel } from './expand-lets.ts'
import type { Telling } from './expand-text.ts'
import { type ExpandedText, writtenAt } from './expanded-text.ts'
import type { Let, LetLevel } from './let.ts'

type Raws = ReadonlyMap<string, RawDocType>

/** DocTypes with their lets taken in, and reports those that are wrong or that nothing uses. */
export function takeInLets(
  raws: Raws,
  places: Places,
  problems: DefinitionProblem[],
  parse: Parse,
): ReadonlyMap<string, RawDocType> {
  const report: Telling['problem'] = ({ doctype, path, text }, offset, message) => {
    const raw = raws.get(doctype)
    if (!raw) return
    const part = text === '' ? 'key' : 'text'
    const { unwritten: _, ...place } = placeIn(raw.origins, path, part, places)
    problems.push({ ...locate(offset, text, place), message })
  }
  const used = new Set<Let>()
  const tell: Telling = { parse, used: (one) => used.add(one), problem: report }
  const levels = new Map([...raws].map(([name, raw]) => [name, letLevel(raw, raws)]))
  const taken = [...raws].map(([name, raw]): [string, RawDocType] => {
    const level = levels.get(name) as LetLevel
    checkNames(raw, level, report)
    const without = expandLets(raw, level, tell)
    if (!without) return [name, raw]
    const { data, expanded } = without
    return [name, { ...raw, data, writtenAt: finderIn(expanded) }]
  })
  const all = [...levels.values()].flatMap(({ lets, tables }) =>
    [lets, ...[...tables.values()].map((table) => table.lets)].flatMap((one) => [...one.values()]),
  )
  for (const one of unusedOf(all, used, raws, places))
    report({ ...one, text: '' }, 0, `nothing uses the let ${one.name}; remove it`)
  return new Map(taken)
}

function finderIn(
  expanded: ReadonlyMap<string, ExpandedText>,
): NonNullable<RawDocType['writtenAt']> {
  return (path, text, offset, length) => {
    const found = expanded.get(joinPath(path))
    const written = found?.text === text ? writtenAt(found, offset, length) : undefined
    return written && { ...written.from, offset: written.offset }
  }
}

/** The lets that nobody uses: one of a block is used when one of those who take it in does. */
function unusedOf(
  all: readonly Let[],
  used: ReadonlySet<Let>,
  raws: Raws,
  places: Places,
): readonly Let[] {
  // Tables of rows with a file of their own have its lets, each by itself.
  const keyOf = ({ doctype, path }: Let): string => joinPath([doctype, ...path])
  const usedKeys = new Set([...used].map(keyOf))
  const unused = all.filter((one) => !usedKeys.has(keyOf(one)))
  if (unused.length === 0) return []
  // The block it stands in, whoever takes it in.
  const placeOf = (one: Let): string => {
    for (const { file, pathOf, use } of raws.get(one.doctype)?.origins ?? []) {
      const path = use && pathOf(one.path)
      if (path && places.has(file, path)) return joinPath([file.path, ...path])
    }
    return keyOf(one)
  }
  const names = new Set(unused.map(({ name }) => name))
  const usedPlaces = new Set([...used].filter(({ name }) => names.has(name)).map(placeOf))
  return unused.filter((one) => !usedPlaces.has(placeOf(one)))
}

/** Reports lets that are called like something else, and those of what has no rows or has them in another file. */
function checkNames(
  { doctype, data }: RawDocType,
  { tables, ...own }: LetLevel,
  report: Telling['problem'],
): void {
  const fields = mapOf(data.fields)
  const status = normaliseStatus(data.status)
  const named = status ? { [status.field]: status } : {}
  checkLevel(own, { ...fields, ...named }, mapOf(data.find), report)
  for (const [name, field] of Object.entries(fields)) {
    if (!isMap(field) || field.let === undefined) continue
    const at = { doctype, path: ['fields', name, 'let'], text: '' }
    if (!isTable(field) || !isMap(field.fields))
      report(at, 0, 'is for a DocType, and for a table that has fields here')
    else checkLevel(tables.get(name), field.fields, mapOf(field.find), report)
  }
}

function checkLevel(
  level: Pick<LetLevel, 'lets' | 'lists'> | undefined,
  fields: YamlMap,
  finds: YamlMap,
  report: Telling['problem'],
): void {
  for (const one of [...(level?.lets.values() ?? []), ...(level?.lists.values() ?? [])]) {
    const { name } = one
    const taken = takenFieldName(name)
    const why = RECORD_NAMES.has(name)
      ? 'expressions have a record of that name'
      : Object.hasOwn(fields, name)
        ? 'there is a field of that name'
        : Object.hasOwn(finds, name)
          ? 'there is a find of that name'
          : taken
    if (why !== undefined) report({ ...one, text: '' }, 0, `a let cannot be called ${name}: ${why}`)
  }
}

const mapOf = (value: unknown): YamlMap => (isMap(value) ? value : {})
