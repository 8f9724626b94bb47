import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadAddons } from '../../../engine/access/load-addons.ts'
import { loadPlans } from '../../../engine/access/load-plans.ts'
import { DefinitionErrors } from '../../../engine/definition/yaml/problems.ts'
import { loadChecked } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'

const SHIPPED = join(import.meta.dirname, '../../../doctypes')
const addons = suite('addons.yaml')
let folder: string

addons.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-addons-'))
})
addons.after.each(() => rmSync(folder, { recursive: true, force: true }))

function load(text: string): ReturnType<typeof loadAddons> {
  writeFileSync(join(folder, 'addons.yaml'), text)
  return loadAddons([SHIPPED, folder], REGISTRY, PLANS)
}

const { registry: REGISTRY } = loadChecked({ doctypes: [SHIPPED], hooks })
const PLANS = loadPlans([SHIPPED])

function mistakes(text: string): string[] {
  try {
    load(text)
  } catch (error) {
    if (!(error instanceof DefinitionErrors)) throw error
    return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
  }
  return []
}

addons('comes with the lowest tier that has all of its DocTypes', () => {
  const [fleet] = load(`
addons:
  - {slug: fleet, label: Fleet, description: Cars., doctypes: [Customer, Purchase Order]}
`)
  assert.is(fleet?.tier, 'pro')
})

addons('names every mistake with its place', () => {
  assert.equal(
    mistakes(`addons:
  - slug: crm
    label: CRM
    description: Customers.
    doctypes: [Custmer, Sales Order Item]
  - slug: crm
    label: ''
    price: 3
    description: Again.
    doctypes: []
`),
    [
      '5:16 no DocType "Custmer" of its own; did you mean Customer?',
      '5:25 no DocType "Sales Order Item" of its own; did you mean Sales Order?',
      '6:11 another bundle has this slug',
      '7:12 label: expected a text',
      '8:12 unknown key price; expected slug, label, description, doctypes',
      '10:15 doctypes: expected a list of names of DocTypes',
    ],
  )
  assert.equal(mistakes('bundles: []'), ['1:1 expected addons: with a list'])
  assert.match(mistakes('addons: [a: b: c')[0] ?? '', /^1:\d+ /)
})

addons('that is wrong is named by its file', () => {
  assert.throws(
    () => load('addons: [{slug: a, label: A, description: A., doctypes: [Nothing]}]'),
    (error: Error) => error.message.startsWith(`${folder}/addons.yaml:1:`),
  )
})

addons.run()
