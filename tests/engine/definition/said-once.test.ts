import { globSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseYaml } from '../../../engine/definition/yaml/parse.ts'
import { isMap } from '../../../engine/definition/yaml/source.ts'

const FOLDER = new URL('../../../doctypes/', import.meta.url).pathname
/** Keys of a field that may stand anywhere: what is shorter is no shorter as a block. */
const MOST_KEYS = 3
/** Files that may have the same field. */
const MOST_FILES = 2
const LONGEST = 160
/** Words whose texts are for people. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['description', 'message', 'label', 'intro'])

const files = ['*.yaml', '*/*.yaml']
  .flatMap((pattern) => globSync(pattern, { cwd: FOLDER }))
  .sort()
  .map((path) => ({ path, data: parseYaml(readFileSync(`${FOLDER}${path}`, 'utf8')).data }))

/** The fields of a file, those of its tables and inputs too: all below a key `fields` or `input`. */
function fieldsIn(part: unknown): [string, unknown][] {
  if (Array.isArray(part)) return part.flatMap(fieldsIn)
  if (!isMap(part)) return []
  return Object.entries(part).flatMap(([key, value]) => [
    ...(['fields', 'input'].includes(key) && isMap(value) ? Object.entries(value) : []),
    ...fieldsIn(value),
  ])
}

/** The same text for maps of the same keys and values, whatever their order. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isMap(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
  )
}

/** The texts of a file that may be expressions, with the keys that lead to them. */
function expressionsIn(part: unknown, path: readonly string[] = []): [string, string][] {
  if (typeof part === 'string')
    return FOR_PEOPLE.has(path.at(-1) ?? '') ? [] : [[path.join('.'), part]]
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => expressionsIn(value, [...path, key]))
}

const shipped = suite('a shipped file')

shipped('has no field of more than three keys that two others have too: that is a block', () => {
  const known = new Map<string, Set<string>>()
  for (const { path, data } of files) {
    for (const [, field] of fieldsIn(data)) {
      if (!isMap(field) || Object.keys(field).length <= MOST_KEYS) continue
      const text = textOf(field)
      known.set(text, (known.get(text) ?? new Set()).add(path))
    }
  }
  const repeated = [...known].filter(([, paths]) => paths.size > MOST_FILES)
  assert.equal(
    repeated.map(([text, paths]) => `${text}: ${[...paths].join(', ')}`),
    [],
  )
})

shipped('has no expression of more than 160 characters: parts of it have names', () => {
  const long = files.flatMap(({ path, data }) =>
    expressionsIn(data)
      .filter(([, text]) => text.length > LONGEST && !text.includes('\n'))
      .map(([at, text]) => `${path}: ${at} has ${text.length}`),
  )
  assert.equal(long, [])
})

shipped('has no list of fields that no copy says', () => {
  const texts = files.flatMap(({ data }) => expressionsIn(data))
  const said = new Set(texts.flatMap(([at, text]) => (/\.copy\.\d+$/.test(at) ? [text] : [])))
  const lists = texts.flatMap(([at]) => /(?:^|\.)let\.([^.]+)\.\d+$/.exec(at)?.[1] ?? [])
  assert.ok(lists.length > 0)
  assert.equal(
    [...new Set(lists)].filter((name) => !said.has(name)),
    [],
  )
})

shipped.run()
