import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Exported, importPlace } from './import-place.ts'
import { VOYAGES } from './voyages.ts'

const upsert = suite('svc import --upsert')
const { file, run, exported, values } = importPlace(upsert, VOYAGES)

upsert('changes with --upsert what differs, and only that', async () => {
  const head = 'title,code,tonnage,is_fast,mood,legs.port,legs.days'
  await run('voyages', file('1.csv', `${head}\na,A1,1,,Calm,Rome,1\n,,,,,Oslo,2\nb,B1,2,no,,,\n`))
  const before = await exported('voyages')
  const same = await run(
    'voyages',
    // A check that nobody set is one that is false.
    file('2.csv', `${head}\na,A1,1.000,,calm,Rome,1\n,,,,,Oslo,2\nb,B1,2,,,,\n`),
    '--upsert',
  )
  assert.is(same.stdout, '0 created, 2 unchanged\n')
  assert.equal(await exported('voyages'), before)
  const rows = [
    'a,A1,3,,,Rome,1',
    ',,,,,Kiel,5',
    ',,,,,Oslo,2',
    'b,B2,2,yes,,,',
    'c,C1,,,,,',
    'c,C1,4,,,,',
    ',,9,,,,',
  ]
  const done = await run('voyages', file('3.csv', [head, ...rows].join('\n')), '--upsert')
  assert.is(done.stdout, '1 created, 2 updated, 2 failed\n')
  assert.match(done.stderr, '3.csv:5: code: can only be set when the record is created\n')
  assert.match(done.stderr, '3.csv:8: title: is needed to find the record\n')
  const after = await values('voyages', 'title', 'code', 'tonnage', 'is_fast', 'mood', 'legs')
  assert.equal(after, [
    [
      'a',
      'A1',
      3,
      true,
      null,
      [
        ['Rome', 1, null],
        ['Kiel', 5, null],
        ['Oslo', 2, null],
      ],
    ],
    ['b', 'B1', 2, false, null, []],
    ['c', 'C1', 4, true, null, []],
  ])
  const rowIds = (records: readonly Exported[]): unknown[] =>
    (records[0]!.legs as Exported[]).map(({ row_id }) => row_id)
  const [rome, , oslo] = rowIds(await exported('voyages'))
  assert.equal([rome, oslo], rowIds(before))
})

upsert('takes rows in the order of the file, as the rows they are', async () => {
  const head = 'title,legs.port,legs.days'
  await run('voyages', file('1.csv', `${head}\na,Rome,1\n,Oslo,2\n`))
  const legs = async (): Promise<Exported[]> => (await exported('voyages'))[0]!.legs as Exported[]
  const [rome, oslo] = await legs()
  const done = await run('voyages', file('2.csv', `${head}\na,Oslo,2\n,Rome,1\n`), '--upsert')
  assert.is(done.stdout, '0 created, 1 updated\n')
  assert.equal(await legs(), [oslo, rome])
})

upsert('finds records by id, by the field of --key, or says that several are meant', async () => {
  const captains = 'id,full_name,mail\nC1,Ann,a@example.com\nC2,Ann,b@example.com\n'
  assert.is((await run('captains', file('1.csv', captains), '--upsert')).stdout, '2 created\n')
  const byId = await run('captains', file('2.csv', 'id,full_name\nC2,Bo\nC3,Cy\n'), '--upsert')
  assert.is(byId.stdout, '1 created, 1 updated\n')
  const byMail = await run(
    'captains',
    file('3.csv', 'mail,full_name\na@example.com,Ann Lee\n'),
    ...['--upsert', '--key', 'mail'],
  )
  assert.is(byMail.stdout, '0 created, 1 updated\n')
  await run('captains', file('4.csv', 'id,full_name\nC4,Cy\n'))
  const several = await run(
    'captains',
    file('5.jsonl', '{"full_name":"Cy","mail":"c@example.com"}'),
    '--upsert',
    '--key',
    'full_name',
  )
  assert.match(several.stderr, '1: full_name: 2 Captains have this value (C3, C4); expected one\n')
  const unknown = await run('voyages', file('6.csv', 'id,title\nVOY-0009,x\n,y\n'), '--upsert')
  assert.is(unknown.stdout, '1 created, 1 failed\n')
  assert.match(unknown.stderr, '2: id: there is no Voyage "VOY-0009"')
})

upsert.run()
