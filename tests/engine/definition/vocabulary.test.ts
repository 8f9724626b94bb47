import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SHIPPED_DOCTYPES } from '../../../cli/package.ts'
import { loadDefinitions } from '../../../engine/definition/load/load.ts'
import { loadVocabulary } from '../../../engine/definition/load/vocabulary.ts'
import { groupOf } from '../../../engine/definition/model/vocabulary.ts'
import { DefinitionErrors } from '../../../engine/definition/yaml/problems.ts'

const test = suite('what DocTypes may name')
let root = ''

test.before.each(() => {
  root = mkdtempSync(join(tmpdir(), 'vocabulary-'))
  write('a/modules.yaml', 'modules:\n  crm: CRM\n  stock: Stock\n')
  write('a/plans.yaml', 'plans:\n  - slug: small\n  - slug: large\n')
  write('b/fleet/van.yaml', van('fleet', 'large'))
})
test.after.each(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function van(module: string, tier: string): string {
  return `doctype: Van\nmodule: ${module}\ntier: ${tier}\nfields: {plate: {type: data}}\n`
}

const folders = () => [join(root, 'a'), join(root, 'b')]

function mistakes(): string[] {
  try {
    loadDefinitions(folders())
    return []
  } catch (error) {
    assert.instance(error, DefinitionErrors)
    return (error as Error).message.replaceAll(`${root}/`, '').split('\n')
  }
}

test('modules of every folder count, in the order of the folders, and a later heading wins', () => {
  write('b/modules.yaml', 'modules:\n  fleet: Cars and vans\n  crm: Customers\n')
  const { registry } = loadDefinitions(folders())
  assert.equal(
    [...registry.vocabulary.modules],
    [
      ['crm', 'Customers'],
      ['stock', 'Stock'],
      ['fleet', 'Cars and vans'],
    ],
  )
  assert.is(groupOf(registry.vocabulary, registry.byDoctype('Van')!), 'Cars and vans')
})

test('a module that no folder declares is a mistake at its place, with what was meant', () => {
  const told = (known: string, hint = ''): string =>
    `b/fleet/van.yaml:2:9: expected one of ${known} (declared in modules.yaml), got "fleet"${hint}`
  assert.equal(mistakes(), [told('crm stock')])
  write('b/modules.yaml', 'modules:\n  fleets: Fleet\n')
  assert.equal(mistakes(), [told('crm stock fleets', '; did you mean fleets?')])
})

test('tiers are those of the last plans.yaml, whatever they are called', () => {
  write('b/modules.yaml', 'modules:\n  fleet: Fleet\n')
  assert.equal(mistakes(), [])
  assert.equal(loadVocabulary(folders()).tiers, ['small', 'large'])
  write('b/plans.yaml', 'plans:\n  - slug: gratis\n  - slug: larger\n')
  assert.equal(mistakes(), [
    'b/fleet/van.yaml:3:7: expected one of gratis larger (declared in plans.yaml), got "large"; did you mean larger?',
  ])
})

test('mistakes in modules.yaml are told with their place, and once', () => {
  const text = 'modules:\n  fleet: 3\n  Big: Big\nmodul: x\n'
  write('b/modules.yaml', text)
  assert.equal(mistakes(), [
    'b/modules.yaml:2:10: expected a text (quote it), got 3',
    'b/modules.yaml:3:3: expected a name of small letters, digits and _ (at most 50), got "Big"',
    'b/modules.yaml:4:1: unknown key modul; expected one of modules',
  ])
  for (const [broken, place, message] of [
    ['', '1:1', 'expected keys and values, got an empty file'],
    ['modules: [fleet]', '1:10', 'expected a map of keys, got a list'],
    ['modules:\n  fleet: A\n  fleet: B', '3:3', 'fleet is there twice; keep one'],
    ['{}', '1:1', 'needs the key modules'],
  ] as const) {
    write('b/modules.yaml', broken)
    const [first = '', ...others] = mistakes()
    assert.ok(first.startsWith(`b/modules.yaml:${place}: ${message}`), first)
    assert.equal(others, [])
    assert.throws(
      () => loadVocabulary(folders()),
      (error: unknown) => error instanceof DefinitionErrors,
    )
  }
})

test('folders without either file hold nobody to a list', () => {
  const { registry } = loadDefinitions([join(root, 'b')])
  assert.is(registry.byDoctype('Van')?.module, 'fleet')
  assert.is(groupOf(registry.vocabulary, registry.byDoctype('Van')!), 'fleet')
})

test('a registry is another one when a heading or a tier changes', () => {
  write('b/modules.yaml', 'modules:\n  fleet: Fleet\n')
  const checksums = [loadDefinitions(folders()).registry.checksum]
  write('b/modules.yaml', 'modules:\n  fleet: Vans\n')
  checksums.push(loadDefinitions(folders()).registry.checksum)
  write('a/plans.yaml', 'plans:\n  - slug: small\n  - slug: large\n  - slug: huge\n')
  checksums.push(loadDefinitions(folders()).registry.checksum)
  assert.is(new Set(checksums).size, 3)
})

test('the shipped ones are in files of the shipped DocTypes', () => {
  const { modules, tiers } = loadVocabulary([SHIPPED_DOCTYPES])
  assert.ok(modules.size > 10)
  assert.is(tiers.length, 3)
})

test.run()
