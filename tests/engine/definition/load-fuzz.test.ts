import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load.ts'
import { DefinitionErrors } from '../../../engine/definition/problems.ts'
import { randomFrom, withSlips } from './random.ts'

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
console.log(`load-fuzz.test.ts: SEED=${SEED}`)

const ROOT = fileURLToPath(new URL('../../../doctypes', import.meta.url))
const shipped = globSync('!(reports|labels)/*.yaml', { cwd: ROOT }).map((path) => ({
  path,
  text: readFileSync(`${ROOT}/${path}`, 'utf8'),
}))

const fuzz = suite('a damaged DocType')

fuzz(
  'either loads or gives DefinitionErrors with a place inside the file, never another error',
  () => {
    const random = randomFrom(SEED)
    for (let run = 0; run < 400; run += 1) {
      const one = shipped[Math.floor(random() * shipped.length)]!
      const text = withSlips(one.text, random)
      try {
        loadDefinitionTexts([{ path: one.path, text }])
      } catch (error) {
        assert.instance(error, DefinitionErrors, `${one.path}\n${text}\n${(error as Error).stack}`)
        const lines = text.split(/\r\n|\n|\r/).length
        for (const { file, line, column } of (error as DefinitionErrors).problems) {
          assert.is(file, one.path)
          assert.ok(
            line >= 1 && line <= lines + 1 && column >= 1,
            `${line}:${column} of ${lines} lines`,
          )
        }
      }
    }
  },
)

fuzz('with any JSON in place of a value gives DefinitionErrors, never another error', () => {
  const random = randomFrom(SEED + 1)
  const values = [
    'null',
    '0',
    '-1.5',
    'true',
    '""',
    '"x"',
    '[]',
    '[null]',
    '[{}]',
    '{}',
    '{a: {}}',
    '{type: table}',
    '"__proto__"',
    '[[1]]',
    '"{"',
    '1e308',
  ]
  for (let run = 0; run < 400; run += 1) {
    const { path, text } = shipped[Math.floor(random() * shipped.length)]!
    const lines = text.split('\n')
    const at = Math.floor(random() * lines.length)
    const value = values[Math.floor(random() * values.length)]!
    lines[at] = lines[at]!.replace(/: .*/, `: ${value}`)
    try {
      loadDefinitionTexts([{ path, text: lines.join('\n') }])
    } catch (error) {
      assert.instance(
        error,
        DefinitionErrors,
        `${path}:${at + 1} ${lines[at]}\n${(error as Error).stack}`,
      )
    }
  }
})

fuzz.run()
