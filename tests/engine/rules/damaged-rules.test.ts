import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitions, loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import type { Behaviour, DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import type { Registry } from '../../../engine/definition/model/registry.ts'
import { DefinitionErrors } from '../../../engine/definition/yaml/problems.ts'
import { docFromInput } from '../../../engine/documents/record/record-input.ts'
import type { Field } from '../../../engine/fields/field.ts'
import { fieldType } from '../../../engine/fields/index.ts'
import type { RuleSite } from '../../../engine/rules/base/compiled-rule.ts'
import type { RuleReads } from '../../../engine/rules/base/reads.ts'
import { createScopes } from '../../../engine/rules/base/scopes.ts'
import { compileRules } from '../../../engine/rules/program/compute.ts'
import { ruleErrors } from '../../../engine/rules/program/rule-errors.ts'
import { isWritable } from '../../../engine/schema/shapes/json-schema.ts'
import { docMaker } from '../../../engine/storage/database/document.ts'
import { hooks } from '../../../hooks/index.ts'
import { type Random, randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { VOCABULARY } from '../../helpers/vocabulary.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const FOLDER = join(import.meta.dirname, '../../../doctypes')
/** Rules that are damaged one by one, and in their file. */
const ROUNDS = rounds(400)
const FILES = rounds(4)
const { registry } = loadDefinitions([FOLDER], hooks)
const files = globSync('!(reports|labels)/*.yaml', { cwd: FOLDER }).map((path) => ({
  path,
  text: readFileSync(join(FOLDER, path), 'utf8'),
}))

const textOf = (file: string): string => files.find(({ path }) => path === file)?.text ?? ''

const PIECES = [
  ...['+', '-', '*', '/', '%', '(', ')', '[', ']', '{', '}', ',', '.', '?', ':', '!', '&&', '||'],
  ...['==', '!=', '<', '<=', '>', '>=', ' in ', '"', "'", '\\', '0', '1.5', '9e99', '-1', '"x"'],
  ...['true', 'null', 'name', 'docstatus', 'old.', 'parent.', 'items', 'items.sum(i, i.qty)', 'i'],
  ...['__proto__', '.constructor', 'toString', 'today()', 'now()', 'round(1.5, 2)', 'has(name)'],
  ...['\u0000', '\ud800', 'é', '😀', '\n', '//', '/*', '`', '$', ';', '=>', '**', '1/0', '0/0'],
]

/** An expression with a few slips of the hand in it. */
function damaged(expression: string, random: Random): string {
  let text = expression
  for (let slips = 1 + random.below(3); slips > 0; slips -= 1) {
    const at = random.below(text.length + 1)
    const kind = random.below(4)
    if (kind === 0) text = text.slice(0, at) + random.one(PIECES) + text.slice(at)
    else if (kind === 1) text = text.slice(0, at) + text.slice(at + 1 + random.below(4))
    else if (kind === 2)
      text = text.replace(/\b\w+\b/g, (word) => (random.chance(0.2) ? random.one(PIECES) : word))
    else text += text.slice(at)
  }
  return text
}

/** The definition with one of its expressions damaged; undefined when it has none. */
function withDamage(
  definition: DocTypeDefinition,
  random: Random,
): { readonly definition: DocTypeDefinition; readonly source: string } | undefined {
  const made: { source: string; definition: () => DocTypeDefinition }[] = []
  const inFields = (
    fields: readonly Field[],
    put: (fields: readonly Field[]) => DocTypeDefinition,
  ): void => {
    for (const [index, field] of fields.entries()) {
      const put1 = (changed: Field): DocTypeDefinition => put(fields.with(index, changed))
      for (const key of ['formula', 'default', 'requiredWhen'] as const) {
        const source = field[key]
        if (source === undefined || (key === 'default' && field.defaultValue !== undefined))
          continue
        const text = damaged(source, random)
        made.push({ source: text, definition: () => put1({ ...field, [key]: text }) })
      }
      const { child } = field
      if (child)
        inFields(child.fields, (changed) =>
          put1({ ...field, child: { ...child, fields: changed } }),
        )
    }
  }
  inFields(definition.fields, (fields) => ({ ...definition, fields }))
  const { behaviour } = definition
  const put = (changed: Partial<Behaviour>): DocTypeDefinition => ({
    ...definition,
    behaviour: { ...behaviour, ...changed },
  })
  for (const [index, rule] of (behaviour.validate ?? []).entries()) {
    if (rule.check === undefined) continue
    const source = damaged(rule.check, random)
    const validate = behaviour.validate!.with(index, { ...rule, check: source })
    made.push({ source, definition: () => put({ validate }) })
  }
  const { status } = behaviour
  for (const [state, when] of Object.entries(status?.derive ?? {})) {
    const source = damaged(when, random)
    const derive = { ...status!.derive, [state]: source }
    made.push({ source, definition: () => put({ status: { ...status!, derive } }) })
  }
  if (made.length === 0) return undefined
  const { source, definition: build } = random.one(made)
  return { source, definition: build() }
}

/** Values of the right kinds for the fields a client can set, some of them unset. */
function values(fields: readonly Field[], random: Random): Record<string, never> {
  const chosen = fields.filter(
    (field) => !field.child && isWritable(field, 'create') && random.chance(0.8),
  )
  return Object.fromEntries(
    chosen.map((field) => {
      const type = fieldType(field.type)
      return [field.name, type.read(type.example(field, random.below(50)), field) as never]
    }),
  )
}

/** Nothing is linked, nothing is found. */
const READS: RuleReads = {
  kind: 'sqlite',
  get: () => undefined,
  locked: () => undefined,
  holds: () => true,
  asked: () => 0,
  value: () => null,
}

function siteIn(registry: Registry, definition: DocTypeDefinition): RuleSite {
  return { definition, registry, scopes: createScopes(registry) }
}

const rules = suite('a damaged rule of a shipped DocType')

for (const seed of SEEDS)
  rules(
    `is refused with a place inside it, or runs: its outcome is values and problems, no exception (seed ${seed})`,
    () => {
      const random = randomOf(seed)
      let refused = 0
      let ran = 0
      for (let round = 0; round < ROUNDS; round += 1) {
        const made = withDamage(random.one(registry.all), random)
        if (!made) continue
        const { definition, source } = made
        const label = `${definition.doctype}: ${JSON.stringify(source)}`
        try {
          const compiled = compileRules(siteIn(registry, definition))
          for (const problem of compiled.problems) {
            assert.ok(problem.offset >= 0 && problem.offset <= problem.source.length, label)
            assert.ok(problem.message !== '' && problem.path.length > 0, label)
          }
          if (compiled.problems.length > 0) {
            refused += 1
            continue
          }
          const environment = compiled.plan.environment('2026-03-09T12:00:00.000Z', 'ann')
          const tables = Object.fromEntries(
            definition.fields.flatMap(({ name, child }) =>
              child
                ? [
                    [
                      name,
                      Array.from({ length: 3 }, () => ({ values: values(child.fields, random) })),
                    ],
                  ]
                : [],
            ),
          )
          const doc = docFromInput(docMaker(definition)(), definition, {
            values: values(definition.fields, random),
            tables,
            removed: {},
          })
          compiled.plan.compute(doc, undefined, READS, environment)
          compiled.plan.problems(doc, undefined, READS, environment)
          const after = { ...doc, docstatus: 1 }
          compiled.plan.compute(after, doc, READS, environment)
          compiled.plan.problems(after, doc, READS, environment)
          ran += 1
        } catch (error) {
          throw new Error(`${label}: ${(error as Error).stack}`, {
            cause: error,
          })
        }
      }
      assert.ok(refused > ROUNDS / 4 && ran > ROUNDS / 200, `${refused} refused, ${ran} ran`)
    },
  )

for (const seed of SEEDS)
  rules(
    `in its file gives DefinitionErrors that name the file and a place in it (seed ${seed})`,
    () => {
      const random = randomOf(seed)
      for (let round = 0; round < FILES; round += 1) {
        const index = random.below(files.length)
        const { path, text } = files[index]!
        const lines = text.split('\n')
        const ruled = [...lines.keys()].filter((at) =>
          /formula:|check:|required_when:|== /.test(lines[at]!),
        )
        if (ruled.length === 0) continue
        const at = random.one(ruled)
        lines[at] = lines[at]!.replace(/(?<=: )[^:]*$/, (rest) => damaged(rest, random))
        const changed = lines.join('\n')
        try {
          const loaded = loadDefinitionTexts(files.with(index, { path, text: changed }), VOCABULARY)
          const problems = loaded.registry.all.flatMap((definition) =>
            ruleErrors(
              definition,
              compileRules(siteIn(loaded.registry, definition)).problems,
              loaded.mistakeAt,
            ),
          )
          for (const { file, line, column, message } of problems) {
            // What a block is given is told where the block says it.
            const isGiven = file.startsWith('blocks/') && text.includes(basename(file, '.yaml'))
            assert.ok(file === path || isGiven, `${file}: ${message}: ${lines[at]}`)
            const { length } = file === path ? lines : textOf(file).split('\n')
            assert.ok(
              line >= 1 && line <= length + 1 && column >= 1,
              `${line}:${column} ${lines[at]}`,
            )
          }
        } catch (error) {
          assert.instance(
            error,
            DefinitionErrors,
            `${path}: ${lines[at]}\n${(error as Error).stack}`,
          )
        }
      }
    },
  )

rules.run()
