import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addField, changeField, fieldsOf, moveField } from '../../../../desk/studio/changes.ts'
import type { Words } from '../../../../desk/studio/studio-types.ts'
import { overlayOf } from '../../../../engine/definition/edit/overlay-of.ts'
import { yamlText } from '../../../../engine/definition/edit/yaml-text.ts'
import { writtenDocTypes } from '../../../../engine/definition/load/load.ts'
import { mergeParts } from '../../../../engine/definition/normalise/merge-parts.ts'
import { parseYaml } from '../../../../engine/definition/yaml/parse.ts'
import { hooks } from '../../../../hooks/index.ts'
import { checkDefinitions } from '../../../../server/studio/check-definitions.ts'
import { type Random, randomOf, rounds, seedsOf } from '../../../helpers/random.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2])

const SHIPPED = join(import.meta.dirname, '../../../../doctypes')

const edit = suite('a definition that Studio changes')

const bases = [...writtenDocTypes([SHIPPED])].map(([doctype, { data }]) => ({
  doctype,
  // As it goes to the Desk and comes back.
  data: JSON.parse(JSON.stringify(data)) as Words,
}))

const texts = globSync('!(reports|labels|setup|workspaces|blocks)/*.yaml', { cwd: SHIPPED }).map(
  (path) => readFileSync(join(SHIPPED, path), 'utf8'),
)

edit('says the same after it was written, and keeps each comment', () => {
  for (const text of texts) {
    const { data } = parseYaml(text)
    const again = yamlText(text, data as Words)
    assert.equal(parseYaml(again).data, data)
    assert.is(again.match(/(?:^| )# .*/gm)?.length, text.match(/(?:^| )# .*/gm)?.length)
  }
})

for (const seed of SEEDS) {
  edit(`is what the overlay makes of it, field by field in order (seed ${seed})`, () => {
    const random = randomOf(seed)
    for (let run = 0; run < rounds(60); run += 1) {
      const { doctype, data: base } = random.one(bases)
      const wanted = changed(random, base)
      const { data, problems } = overlayOf(base, wanted)
      assert.equal(problems, [], doctype)
      const file = { doctype, extend: true, ...data }
      const text = yamlText(undefined, file)
      assert.equal(parseYaml(text), { data: file, problems: [] }, text)
      const merged = mergeParts(base, [], data, 'base')
      assert.equal(merged, wanted, text)
      assert.equal(Object.keys(fieldsOf(merged)), Object.keys(fieldsOf(wanted)), text)
    }
  })

  edit(`passes the check of all definitions (seed ${seed})`, () => {
    const random = randomOf(seed)
    const folder = mkdtempSync(join(tmpdir(), 'svc-edit-'))
    try {
      for (let run = 0; run < rounds(8); run += 1) {
        const { doctype, data: base } = random.one(bases)
        const { data } = overlayOf(base, changed(random, base))
        const file = `${doctype.toLowerCase().replaceAll(' ', '-')}.yaml`
        if (Object.keys(data).length > 0)
          writeFileSync(join(folder, file), yamlText(undefined, { doctype, extend: true, ...data }))
        const own = { doctype: `Thing ${run}`, ...ownDefinition(random) }
        writeFileSync(join(folder, `thing-${run}.yaml`), yamlText(undefined, own))
      }
      checkDefinitions({ doctypes: [SHIPPED, folder], hooks })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

edit('refuses with a sentence what an overlay cannot say', () => {
  const base = { fields: { a: { type: 'data', length: 10 } }, title: 'a', naming: 'uuid' }
  const { problems } = overlayOf(base, { fields: { a: { type: 'data' } }, title: 'a' })
  assert.equal(
    problems.map(({ path }) => path.join('.')),
    ['fields.a.length', 'naming'],
  )
  const gone = overlayOf(base, { ...base, fields: {} })
  assert.match(gone.problems[0]!.message, /hide it instead/)
})

edit.run()

const TYPES = ['data', 'int', 'date', 'check', 'currency', 'select', 'link', 'table'] as const

/** A definition after a few changes that people make: fields more, moved, renamed for people, hidden; other columns. */
function changed(random: Random, base: Words): Words {
  let definition = base
  for (let step = 0; step < 1 + random.below(6); step += 1)
    definition = stepOf(random, definition, step)
  return definition
}

function stepOf(random: Random, definition: Words, step: number): Words {
  const names = Object.keys(fieldsOf(definition)).filter((name) => {
    const { internal, type } = fieldsOf(definition)[name]!
    return internal !== true && type !== undefined
  })
  if (names.length === 0) return definition
  const name = random.one(names)
  const field = fieldsOf(definition)[name]!
  switch (random.below(5)) {
    case 0:
      return addField(definition, `own_${step}`, newField(random))
    case 1:
      return moveField(definition, name, random.below(9) - 4)
    case 2:
      return changeField(definition, name, { ...field, label: `Another: ${step}, "so" #${step}` })
    case 3:
      return changeField(definition, name, { ...field, description: 'What it is for: this, that.' })
    default:
      return { ...definition, label: `Kind ${step}` }
  }
}

function newField(random: Random): Words {
  const type = random.one([...TYPES])
  const about = random.below(2) === 0 ? { label: 'Field: one, two' } : {}
  if (type === 'select')
    return { type, options: ['Low', 'High: so', "it's", 'true', '1'], ...about }
  if (type === 'link') return { type, options: random.one(['Customer', 'Item']), ...about }
  if (type === 'table')
    return {
      type,
      fields: { part: { type: 'data', required: true }, qty: { type: 'int', min: 0 } },
    }
  return { type, ...about }
}

function ownDefinition(random: Random): Words {
  let definition: Words = { module: 'stock', tier: 'free', fields: { a: { type: 'data' } } }
  for (let at = 0; at < 1 + random.below(5); at += 1)
    definition = addField(definition, `own_${at}`, newField(random))
  const states = { status: { initial: 'Open', flow: { Open: ['Done: now'], 'Done: now': [] } } }
  return random.below(2) === 0 ? definition : { ...definition, ...states, title: 'a', list: ['a'] }
}
