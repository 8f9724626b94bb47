import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runHere } from './in-process.ts'
import { type Folder, temporaryFolder } from './process.ts'

const states = suite('svc doctype check of states')
let folder: Folder

states.before.each(() => {
  folder = temporaryFolder()
})
states.after.each(() => folder.remove())

const RIGHT = `
doctype: Boat Trip
module: support
tier: free
submittable: true
naming: "BT-{###}"
fields:
  title: {type: data, required: true}
  kind: {type: select, options: [Day, Night]}
  late: {type: check, formula: 'kind == "Night" && status in ["Open", ""]'}
  shade: {type: select, options: [Dark, Light], formula: 'kind == "Night" ? "Dark" : "Light"'}
  harbours: {type: table, fields: {state: {type: select, options: [Calm, Rough]}}}
  calm: {type: check, formula: 'harbours.all(h, h.state == "Calm")'}
  other: {type: link, options: Boat Trip}
  sailed: {type: int, lookup: {from: Boat Trip, where: 'status == "Sailed"', count: true, at: create}}
status:
  field: status
  initial: Open
  flow:
    Open: [Sailed, Lost]
    Sailed: {Closed: [Sales User]}
    Closed: []
validate:
  - {check: 'old.status != "Closed" || title == old.title', field: title, message: is over}
events:
  sailed: {when: 'status == "Sailed"'}
actions:
  sail:
    when: 'status == "Open"'
    moves: Sailed
    steps:
      - {set: {kind: '"Night"'}}
permissions:
  roles:
    Sales User: [read, create, update]
  rows: {Sales User: 'status != "Closed"'}
`

async function check(text: string): Promise<readonly string[]> {
  const doctypes = join(folder.path, 'doctypes')
  mkdirSync(doctypes, { recursive: true })
  writeFileSync(join(doctypes, 'trip.yaml'), text)
  const data = join(folder.path, 'data')
  const { code, stdout, stderr } = await runHere(['doctype', 'check', doctypes, '--data', data])
  const told = `${stdout}${stderr}`
    .split('\n')
    .filter((line) => line.includes('trip.yaml:'))
    .map((line) => line.slice(line.indexOf('trip.yaml:')))
  assert.is(code, told.length > 0 ? 1 : 0, `${stdout}${stderr}`)
  return told
}

/** Where a text stands, as `line:column`. */
function placeOf(text: string, part: string): string {
  const before = text.slice(0, text.indexOf(part)).split('\n')
  return `${before.length}:${before.at(-1)!.length + 1}`
}

states('finds nothing where all states are named elsewhere, a last one among them', async () => {
  assert.equal(await check(RIGHT), [])
})

states('names each that nobody else names, where it stands, and what was meant', async () => {
  const slips: readonly (readonly [right: string, slip: string, message: RegExp])[] = [
    ['kind == "Night" &&', 'kind == "Nigt" &&', /kind is never "Nigt", did you mean "Night"\?/],
    ['in ["Open", ""]', 'in ["Open", "Opem"]', /status is never "Opem", did you mean "Open"\?/],
    ['? "Dark"', '? "Drk"', /shade is never "Drk", did you mean "Dark"\?/],
    ['h.state == "Calm"', 'h.state == "Cal"', /state is never "Cal", did you mean "Calm"\?/],
    ['where: \'status == "Sailed"', 'where: \'status == "Saild"', /never "Saild", .* "Sailed"\?/],
    ['old.status != "Closed"', 'old.status != "Closd"', /never "Closd", .* "Closed"\?/],
    ['when: \'status == "Sailed"', 'when: \'status == "Saled"', /never "Saled", .* "Sailed"\?/],
    ['when: \'status == "Open"', 'when: \'status == "Oven"', /never "Oven", .* "Open"\?/],
    ['kind: \'"Night"', 'kind: \'"Nigt"', /kind is never "Nigt", did you mean "Night"\?/],
    ['User: \'status != "Closed"', 'User: \'status != "Cosed"', /"Cosed", .* "Closed"\?/],
    ['{Closed: [Sales', '{Closedd: [Sales', /the state "Closedd", did you mean "Closed"\?/],
    ['[Sailed, Lost]', '[Sialed, Lost]', /the state "Sialed", did you mean "Sailed"\?/],
    ['moves: Sailed', 'moves: Sailde', /the state "Sailde", did you mean "Sailed"\?/],
  ]
  for (const [right, slip, message] of slips) {
    assert.ok(RIGHT.includes(right), right)
    const text = RIGHT.replace(right, slip)
    const [told = '', ...more] = await check(text)
    assert.match(told, message)
    assert.equal(more, [], slip)
    const wrong = /(?:never|state) "(\w+)"/.exec(told)![1]!
    const at = told.split(': ')[0]!.slice('trip.yaml:'.length)
    const expected = text.includes(`"${wrong}"`) ? `"${wrong}"` : wrong
    assert.is(at, placeOf(text, expected), slip)
  }
})

states.run()
