import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { loadDefinitions } from '../../engine/definition/load/load.ts'
import { type HasFields, publicFields } from '../../engine/fields/public-fields.ts'
import type { Words } from '../../engine/schema/dialect/dialect.ts'
import { loadDialect } from '../../engine/schema/dialect/load-dialect.ts'
import { hooks } from '../../hooks/index.ts'

const FOLDERS = [fileURLToPath(new URL('../../doctypes', import.meta.url))]
const { registry } = loadDefinitions(FOLDERS, hooks)
const dialect = loadDialect(FOLDERS, registry)

const names = suite('names of ERPNext')

names('are each taken, mapped, refused by name, or left out for a reason', () => {
  const unknown = namesOf().filter(
    ([doctype, name]) => !isKnown(doctype, name) && !LEFT_OUT.has(name),
  )
  assert.equal(unknown, [])
})

names('are over 1,300 of 30 DocTypes, and none is left out that would be taken anyway', () => {
  const all = namesOf()
  assert.ok(all.length > 1300 && new Set(all.map(([doctype]) => doctype)).size >= 30)
  const used = new Set(all.flatMap(([doctype, name]) => (isKnown(doctype, name) ? [] : [name])))
  assert.equal(
    [...LEFT_OUT].filter((name) => !used.has(name)),
    [],
  )
})

function read(file: string): Readonly<Record<string, string>> {
  return parse(readFileSync(join(import.meta.dirname, file), 'utf8'))
}

function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

const LEFT_OUT = new Set(Object.values(read('left-out.yaml')).flatMap(wordsOf))

/** DocType and name, of all that a client of ERPNext may set. */
function namesOf(): readonly (readonly [string, string])[] {
  return Object.entries(read('names.yaml')).flatMap(([doctype, text]) =>
    wordsOf(text).map((name) => [doctype, name] as const),
  )
}

/** Whether a field has the name, or the dialect says what becomes of it; what is computed is held against what is sent. */
function isKnown(doctype: string, name: string): boolean {
  const { owner, above } = ownerOf(doctype)
  const words = dialect.of(doctype)
  return (
    publicFields(owner).some((field) => field.name === name) ||
    words?.shows.has(name) === true ||
    words?.refuses.has(name) === true ||
    isTaken(words, name) ||
    above.some((one) => dialect.of(one)?.takes.some(({ column }) => column === name))
  )
}

function isTaken(words: Words | undefined, name: string): boolean {
  return (
    words?.takes.some(({ from, when }) => from === name || (when && Object.hasOwn(when, name))) ===
    true
  )
}

/** The fields of a DocType or of rows by their DocType's name, with the DocTypes that have such rows. */
function ownerOf(doctype: string): { owner: HasFields; above: readonly string[] } {
  const own = registry.all.find((one) => one.doctype === doctype)
  if (own) return { owner: own, above: [] }
  const above = registry.all.filter(({ fields }) =>
    fields.some(({ child }) => child?.name === doctype),
  )
  const owner = above[0]?.fields.find(({ child }) => child?.name === doctype)?.child
  if (!owner) throw new Error(`there are no rows of ${doctype}`)
  return { owner, above: above.map((one) => one.doctype) }
}

names.run()
