import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import { DefinitionErrors } from '../../../engine/definition/yaml/problems.ts'
import { randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { withSlips } from './slips.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2])

const ROOT = fileURLToPath(new URL('../../../doctypes', import.meta.url))
const shipped = globSync('!(reports|labels)/*.yaml', { cwd: ROOT }).map((path) => ({
  path,
  text: readFileSync(`${ROOT}/${path}`, 'utf8'),
}))

const fuzz = suite('a damaged DocType')

for (const seed of SEEDS)
  fuzz(
    `either loads or gives DefinitionErrors with a place inside the file, never another error (seed ${seed})`,
    () => {
      const random = randomOf(seed)
      for (let run = 0; run < rounds(40); run += 1) {
        const one = random.one(shipped)
        const text = withSlips(one.text, random)
        try {
          loadDefinitionTexts([{ path: one.path, text }])
        } catch (error) {
          assert.instance(
            error,
            DefinitionErrors,
            `${one.path}\n${text}\n${(error as Error).stack}`,
          )
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

for (const seed of SEEDS)
  fuzz(
    `with any JSON in place of a value gives DefinitionErrors, never another error (seed ${seed})`,
    () => {
      const random = randomOf(seed)
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
      for (let run = 0; run < rounds(40); run += 1) {
        const { path, text } = random.one(shipped)
        const lines = text.split('\n')
        const at = random.below(lines.length)
        const value = random.one(values)
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
    },
  )

fuzz.run()
