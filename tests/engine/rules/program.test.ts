import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitions } from '../../../engine/definition/load/load.ts'
import { loadProgram } from '../../../engine/index.ts'
import { checkRegistry } from '../../../engine/rules/program/check.ts'
import type { Program } from '../../../engine/rules/program/program.ts'
import { createRollups } from '../../../engine/rules/rollups/rollup.ts'
import { hooks } from '../../../hooks/index.ts'
import { writeDoctypes } from '../documents/workspace.ts'

const folder = writeDoctypes(`
doctype: Slip
module: setup
tier: free
submittable: true
fields:
  customer: {type: link, options: Buyer}
  note: {type: data}
  qty: {type: float}
  price: {type: currency}
  amount: {type: currency, formula: qty * price}
actions:
  sign: {steps: [{set: {note: '"signed"'}}]}
effects:
  submit: [{set: {note: '"done"'}}]
events:
  worth: {when: amount > 0}
permissions:
  rows: {Clerk: owner == user.email}
invariants:
  - {name: n, by: [customer], terms: [{from: Slip, add: amount}, {from: Slip, subtract: amount}]}
---
doctype: Buyer
module: setup
tier: free
fields:
  bought: {type: currency, rollup: {from: Slip, match: customer, sum: amount}}
  double: {type: currency, formula: bought * 2}
`)
const cache = mkdtempSync(join(tmpdir(), 'svc-program-'))

const program = suite('the program of definitions')

program.after(() => {
  for (const made of [folder, cache]) rmSync(made, { recursive: true, force: true })
})

/** All that a DocType is compiled to. */
function plansOf({ registry, behaviourOf, partsOf }: Program, doctype: string): unknown[] {
  const definition = registry.byDoctype(doctype)!
  const { rules, effects, actions, events, brings, rows, invariants } = behaviourOf(definition)
  const rollups = partsOf(definition).rollups.map(({ compiled }) => compiled().plan)
  return [rules, effects, actions, events, brings, rows, invariants, ...rollups]
}

program('is what their check has compiled, part by part', () => {
  const checked = checkRegistry(loadDefinitions([folder]).registry)
  assert.equal(checked.mistakes, [])
  const slip = checked.program.partsOf(checked.program.registry.byDoctype('Slip')!)
  const parts = [slip.rules, slip.effects, slip.actions, slip.events, slip.brings, slip.rows]
  const made = [...parts, slip.invariants].map((part) => part().plan)
  for (const [index, plan] of plansOf(checked.program, 'Slip').entries())
    assert.is(plan, made[index], `part ${index}`)
})

program('compiles a rollup once, for the source it is kept from and for the order of all', () => {
  const loaded = loadProgram({ hooks, doctypes: [folder] })
  const [slip, buyer] = ['Slip', 'Buyer'].map((name) => loaded.registry.byDoctype(name)!)
  const rollups = createRollups(
    loaded.registry,
    (definition) => loaded.partsOf(definition).rollups,
    'sqlite',
  )
  const [kept] = rollups.keptFrom(slip!)
  assert.is(kept?.field.name, 'bought')
  assert.is(loaded.graph().rollups[0], kept)
  assert.is(loaded.partsOf(buyer!).rollups[0]?.compiled().plan, kept)
})

program('is whole after a check, and compiled at its first use where a cache knows of none', () => {
  const options = { hooks, doctypes: [folder], cacheFolder: cache }
  const [cold, warm] = [loadProgram(options), loadProgram(options)]
  assert.equal([cold.isWhole, warm.isWhole], [true, false])
  for (const doctype of ['Slip', 'Buyer']) {
    const shapes = [cold, warm].map((one) =>
      plansOf(one, doctype).map((plan) =>
        plan instanceof Map ? [...plan.keys()] : Object.keys(plan ?? {}),
      ),
    )
    assert.equal(shapes[1], shapes[0], doctype)
  }
})

program.run()
