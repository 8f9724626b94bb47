import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { importPlace } from './import-place.ts'
import { ENTRY, eventually, launch, watched } from './process.ts'
import { VOYAGES } from './voyages.ts'

const running = suite('svc import as a process')
const { data, file, run, exported } = importPlace(running, VOYAGES)

/** An import of standard input, which the caller writes to. */
function startPiped(format: string): ChildProcess {
  const args = ['import', 'voyages', '-', '--format', format, '--json', '--data', data]
  return spawn(process.execPath, [ENTRY, ...args])
}

running('reads standard input', async () => {
  const child = startPiped('jsonl')
  child.stdin?.end('{"title":"a"}\n{"title":"b"}\n')
  const { stdout } = await watched(child).ended
  assert.is(JSON.parse(stdout).created, 2)
})

running('ends at headings that name nothing, though standard input goes on', async () => {
  const child = startPiped('csv')
  child.stdin?.write(`titel\n${'a\n'.repeat(20)}`)
  const { code, stderr } = await watched(child).ended
  assert.is(code, 1)
  assert.match(stderr, 'unknown column "titel"')
})

/** So many that an import of them can be interrupted. */
const MANY = Array.from({ length: 20_000 }, (_, at) => `v${at}`)

/** How many voyages are in, without the start of a command: imports are quick. */
function voyagesIn(): number {
  const database = new DatabaseSync(join(data, 'workspace.db'), { readOnly: true })
  try {
    return Number(database.prepare('select count(*) as n from voyages').get()?.n)
  } finally {
    database.close()
  }
}

running('killed half-way and run again with --upsert has every record once', async () => {
  const rows = MANY.slice(0, 5000)
  const table = file('many.csv', ['title', ...rows].join('\n'))
  const child = launch(['import', 'voyages', table, '--data', data])
  await eventually(() => voyagesIn() > 0)
  const { code } = await child.end('SIGKILL')
  assert.is(code, null)
  const before = voyagesIn()
  assert.ok(before > 0 && before < rows.length, String(before))
  const { stdout } = await run('voyages', table, '--upsert', '--key', 'title')
  assert.is(stdout, `${rows.length - before} created, ${before} unchanged\n`)
  const titles = (await exported('voyages', '--fields', 'title')).map(({ title }) => title)
  assert.equal(titles, rows)
})

running('interrupted finishes what it has begun and says up to which line', async () => {
  const table = file('many.csv', ['title', ...MANY].join('\n'))
  const child = launch(['import', 'voyages', table, '--data', data])
  await eventually(() => voyagesIn() > 0)
  const { code, stdout, stderr } = await child.end('SIGINT')
  assert.is(code, 1)
  const count = voyagesIn()
  assert.ok(count < MANY.length)
  assert.is(stdout, `${count} created\n`)
  assert.is(stderr, `interrupted: all up to the record of line ${count + 1} is done\n`)
})

running.run()
