import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { recordSetProblems } from '../../../engine/definition/load/check-record-sets.ts'
import { listRecordSets, readRecordSet } from '../../../engine/definition/load/record-sets.ts'
import { createDocument } from '../../../engine/documents/operations/create.ts'
import { type Engine, loadChecked, openEngine } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'

const brings = suite('records that come along')
let root = ''
let engine: Engine | undefined

brings.before.each(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-brings-'))
})
brings.after.each(async () => {
  await engine?.close()
  engine = undefined
  rmSync(root, { recursive: true })
})

/** Gives the folder of the shipped files. */
function write(path: string, text: string): string {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return join(root, 'a')
}

const BAY = `doctype: Bay
module: assets
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  parts: {type: table, options: Bay Part, fields: {bay: {type: link, options: Bay}}}
`
const site = (brings: string): string => `doctype: Site
module: assets
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  kind: {type: data}
  main: {type: link, options: Bay}
brings: ${brings}
`

const messageOf = async (job: () => unknown): Promise<string> => {
  try {
    await job()
  } catch (error) {
    const { details = [] } = error as { details?: readonly { message: string }[] }
    return [(error as Error).message, ...details.map(({ message }) => message)]
      .join(' ')
      .replaceAll(root, '')
  }
  return 'nothing was refused'
}

async function create(body: object): Promise<Readonly<Record<string, unknown>>> {
  engine ??= await openEngine({
    hooks,
    database: { kind: 'sqlite', file: join(root, 'workspace.db') },
    doctypes: [join(root, 'a'), join(root, 'b')],
    secretKey: Buffer.alloc(32, 7),
  })
  const context = engine.context(SYSTEM_ACTOR, 'business')
  const definition = engine.services.registry.byDoctype('Site')!
  return (await createDocument(context, definition, body)).record
}

brings('are read from the last folder, in all of what links to them, and all or none', async () => {
  write('a/assets/bay.yaml', BAY)
  copyFileSync(
    join(import.meta.dirname, '../../../doctypes/plans.yaml'),
    join(root, 'a/plans.yaml'),
  )
  write(
    'a/assets/site.yaml',
    site(
      '{sets: [{from: all}, {from: kinds, named: kind, optional: true}], suffix: \'"-" + title\'}',
    ),
  )
  write('a/setup/all/one.yaml', 'records: {Bay: [{title: Old}]}')
  write(
    'b/setup/all/one.yaml',
    'name: One\nrecords: {Bay: [{title: Door}]}\nalso: {Bay: {Gate: Door}}',
  )
  write(
    'b/setup/kinds/large.yaml',
    'name: Large\nrecords: {Bay: [{title: Hall, parts: [{bay: Gate}]}]}\nsets: {main: Hall}',
  )
  write('b/setup/kinds/bad.yaml', 'name: Bad\nrecords: {Bay: [{title: Cellar, depth: 3}]}')
  const large = await create({ title: 'x', kind: 'Large' })
  assert.is(large.main, 'Hall-x')
  const bays = async () =>
    (await engine!.services.database.read.selectFrom('bays').select('name').execute())
      .map(({ name }) => name)
      .toSorted()
  assert.equal(await bays(), ['Door-x', 'Hall-x'])
  assert.is((await create({ title: 'y', kind: 'large' })).main, null, 'another name is another set')
  assert.match(await messageOf(() => create({ title: 'z', kind: 'Bad' })), 'depth')
  assert.equal(await bays(), ['Door-x', 'Door-y', 'Hall-x'], 'nothing of z is left')
  const rows = await engine!.services.database.read
    .selectFrom('bays__parts')
    .select('bay')
    .execute()
  assert.equal(
    rows.map(({ bay }) => bay),
    ['Door-x'],
    'also: Gate is the door',
  )
})

brings('give rows to records that are there, for the new owner alone', async () => {
  const plans = join(import.meta.dirname, '../../../doctypes/plans.yaml')
  write('a/assets/bay.yaml', BAY.replace('{bay:', '{site: {type: link, options: Site}, bay:'))
  copyFileSync(plans, join(root, 'a/plans.yaml'))
  write(
    'a/assets/site.yaml',
    site('{sets: [{from: shared}], owner: site, suffix: \'"-" + title\'}'),
  )
  write('a/setup/shared/1.yaml', 'records: {Bay: [{title: Door}]}')
  write(
    'a/setup/shared/2.yaml',
    'rows: {Bay: {Door-x: {parts: [{bay: Door}, {bay: Elsewhere}]}, Nobody: {parts: [{bay: Door}]}}}',
  )
  mkdirSync(join(root, 'b'))
  await create({ title: 'x' })
  await create({ title: 'y' })
  const rows = await engine!.services.database.read
    .selectFrom('bays__parts')
    .select(['site', 'bay'])
    .orderBy('bay')
    .execute()
  assert.equal(
    rows.map(({ site: owner, bay }) => [owner, bay]),
    [
      ['x', 'Door-x'],
      ['y', 'Door-y'],
    ],
  )
})

brings('are said to be wrong where they are', async () => {
  const folders = [join(root, 'a')]
  const wrong = (text: string): Promise<string> => {
    write('a/setup/kinds/large.yaml', text)
    return messageOf(() => readRecordSet(folders, 'kinds', 'Large'))
  }
  assert.match(await wrong('name: Large'), '/a/setup/kinds/large.yaml:1:1: expected records:')
  assert.match(await wrong('name: Large\nrecords: {}\nset: {}'), ':3:6: expected one of name, ')
  assert.match(await wrong('records: {Bay: {title: A}}'), ':1:10: expected a list of records')
  assert.match(await wrong('records: {}\nalso: {Bay: {A: 1}}'), ':2:7: expected name: name')
  assert.match(await wrong('records: ['), '/a/setup/kinds/large.yaml:1')
  write('a/setup/kinds/large.yaml', 'name: Small\nrecords: {}')
  assert.is(readRecordSet(folders, 'kinds', 'Large'), undefined)
  assert.is(readRecordSet(folders, 'kinds', '../../a'), undefined)
  assert.equal(listRecordSets(folders, 'none'), [])
})

brings('have DocTypes and fields that are there, as a check of the files says', () => {
  const { registry } = loadChecked({ doctypes: [write('a/assets/bay.yaml', BAY)], hooks })
  write(
    'a/setup/kinds/one.yaml',
    'records:\n  Bey: []\n  Bay:\n    - {titles: A, parts: [{bay: A, size: 3}]}\n    - {title: B}',
  )
  const found = recordSetProblems([join(root, 'a')], registry)
  assert.equal(
    found.map(({ line, column, message }) => [line, column, message]),
    [
      [2, 3, 'there is no DocType Bey'],
      [4, 8, 'no such field; did you mean title?'],
      [4, 36, 'no such field'],
    ],
  )
  write('a/setup/kinds/one.yaml', 'records: 7')
  assert.match(
    recordSetProblems([join(root, 'a')], registry)[0]?.message ?? '',
    'a list of records',
  )
})

brings('name fields that are there', async () => {
  write('a/assets/bay.yaml', BAY)
  write(
    'a/assets/site.yaml',
    site(
      '{if: kin != "", sets: [{from: a, named: kin}, {from: b, optional: true}], suffix: "1 + 1"}',
    ),
  )
  const message = await messageOf(() => loadChecked({ doctypes: [join(root, 'a')], hooks }))
  for (const part of [
    "9:14: unknown field 'kin', did you mean 'kind'?",
    '9:49: no field "kin"',
    '9:75: is for a set that is chosen by a field',
    '9:92: expected text',
  ])
    assert.match(message, part)
})

brings.run()
