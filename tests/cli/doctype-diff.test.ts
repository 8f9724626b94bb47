import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runHere } from './in-process.ts'
import { type Finished, type Folder, temporaryFolder } from './process.ts'

const diff = suite('svc doctype diff')
let folder: Folder

diff.before.each(() => {
  folder = temporaryFolder()
})
diff.after.each(() => folder.remove())

/** Writes a folder of DocTypes; returns its path. */
function doctypes(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(folder.path, name)
  mkdirSync(path)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, `${file}.yaml`), text)
  return path
}

function run(...args: string[]): Promise<Finished> {
  return runHere(['doctype', 'diff', ...args])
}

const TRIP = `
doctype: Boat Trip
module: support
tier: free
submittable: true
naming: "BT-{###}"
fields:
  title: {type: data, required: true}
  level: {type: int}
  fare: {type: currency}
  items: {type: table, fields: {qty: {type: float}}}
status: {field: status, initial: Open, flow: {Open: [Sailed], Sailed: []}}
permissions: {roles: {Sales User: [read]}}
effects: {submit: [{post: Trip Ledger, rows: [{set: {amount: fare}}]}]}
events: {sailed: {when: 'status == "Sailed"', data: [title]}}
`
const LEDGER = `
doctype: Trip Ledger
module: support
tier: free
ledger: {}
fields: {amount: {type: currency}}
`
const thing = (name: string): string =>
  `doctype: ${name}\nmodule: support\ntier: free\nfields: {note: {type: data}}\n`

const LATER = `
# The same in another order, and then some.
doctype: Boat Trip
tier: free
module: support
submittable: true
naming: "BT-{###}"
fields:
  title: {type: data}
  rank: {type: select, options: [Gold, Silver], renamed_from: level}
  pieces: {type: int, formula: items.count()}
  fare: {type: currency}
  items: {type: table, fields: {qty: {type: int}}}
list: [title, fare, status]
status: {field: status, initial: Open, flow: {Open: {Sailed: [Sales User], Lost: []}, Sailed: [], Lost: []}}
permissions: {roles: {Sales User: [create, read], All: [read]}}
effects: {submit: [{post: Trip Ledger, rows: [{set: {amount: fare * 2}}]}]}
events: {sailed: {when: 'status == "Sailed"', data: [title, fare]}}
`

diff('tells a release note in the words of the business', async () => {
  const older = doctypes('older', { trip: TRIP, ledger: LEDGER, gone: thing('Old Thing') })
  const newer = doctypes('newer', { trip: LATER, ledger: LEDGER, come: thing('New Thing') })
  const { code, stdout, stderr } = await run(older, newer, '--alone')
  assert.is(code, 0, stderr)
  assert.is(
    stdout,
    `## New

- **New Thing**, 1 field

## Removed

- **Old Thing**, 1 field

## Changed

### Boat Trip

General:

- columns of the list: \`title, level, fare, status\` → \`title, fare, status\`

Fields:

- new: Pieces (\`pieces\`); type \`int\`, read only, computed by formula \`items.count()\`
- Title (\`title\`): no longer required
- Rank (\`rank\`): was called \`level\`; type \`int\` → \`select: Gold | Silver\`; label \`Level\` → \`Rank\`
- Qty (\`items.qty\`): type \`float\` → \`int\`
- Status (\`status\`): type \`select: Open | Sailed\` → \`select: Open | Sailed | Lost\`

States:

- new: Lost

Moves:

- new: Open → Lost
- Open → Sailed: by \`whoever may update\` → \`Sales User\`

Postings:

- posts to Trip Ledger: row 1 \`set (amount = fare)\` → \`set (amount = fare * 2)\`

Events:

- \`sailed\`: carries \`title\` → \`title, fare\`

Rights:

- new: All; may \`read\`
- Sales User: may \`read\` → \`create, read\`
`,
  )

  const { differences, added, removed, changed } = JSON.parse(
    (await run(older, newer, '--alone', '--json')).stdout,
  )
  assert.is(differences, 3)
  const facts = { description: null, fields: 1 }
  assert.equal(added, [{ doctype: 'New Thing', label: 'New Thing', ...facts }])
  assert.equal(removed, [{ doctype: 'Old Thing', label: 'Old Thing', ...facts }])
  assert.equal(changed[0].groups.States, {
    added: [{ name: 'Lost', label: null, is: {} }],
    removed: [],
    changed: [],
  })
  // What is new one way is gone the other way.
  const back = JSON.parse((await run(newer, older, '--alone', '--json')).stdout)
  assert.equal([back.added, back.removed], [removed, added])
})

diff('says so where there is no difference, and exits 1 for one only when asked to', async () => {
  const trip = TRIP.replace('fields:', 'fields: # nothing else')
  const older = doctypes('older', { trip: TRIP, ledger: LEDGER })
  const same = doctypes('same', { ledger: `# moved\n${LEDGER}`, trip })
  const other = doctypes('other', { trip: LATER, ledger: LEDGER })
  const nothing = await run(older, same, '--alone', '--exit-code')
  assert.equal([nothing.code, nothing.stdout], [0, 'No differences.\n'])
  assert.is((await run(older, other, '--alone')).code, 0)
  const some = await run(older, other, '--alone', '--exit-code')
  assert.is(some.code, 1)
  assert.match(some.stdout, '### Boat Trip')
})

diff('writes names and expressions as text, whatever is in them', async () => {
  const hostile =
    '"<img src=x onerror=alert(1)> [a](javascript:b) *c* `d` \\u202e http://e.example"'
  const older = doctypes('older', { thing: thing('Thing') })
  const newer = doctypes('newer', {
    thing: `label: ${hostile}\n${thing('Thing').replace('data}', `data, label: ${hostile}, default: '"\`\`"'}`)}`,
  })
  const { stdout } = await run(older, newer, '--alone')
  const text = String.raw`\<img src=x onerror=alert(1)\> \[a\](javascript:b) \*c\* \`d\` http:\//e.example`
  assert.match(stdout, `### ${text} (Thing)`)
  assert.match(stdout, `- ${text} (\`note\`)`)
  assert.match(stdout, '``` "``" ```')
  assert.not.match(stdout, '\u202e')
})

diff('compares a folder with the shipped DocTypes that it is laid over', async () => {
  const own = doctypes('own', {
    customer: 'doctype: Customer\nextend: true\nfields: {berth: {type: data, filterable: true}}\n',
  })
  const { code, stdout, stderr } = await run(own)
  assert.is(code, 0, stderr)
  assert.is(
    stdout,
    '## Changed\n\n### Customer\n\nFields:\n\n- new: Berth (`berth`); type `data`, filterable\n',
  )
})

diff('tells what cannot be read, and the mistakes of a folder with their places', async () => {
  const wrong = doctypes('wrong', { thing: thing('Thing').replace('data', 'dota') })
  const missing = await run(wrong, join(folder.path, 'nowhere'), '--alone')
  assert.is(missing.code, 1)
  assert.match(missing.stderr, 'nowhere')
  const mistakes = await run(wrong, wrong, '--alone')
  assert.is(mistakes.code, 1)
  assert.match(mistakes.stderr, /thing\.yaml:4:\d+: /)
  const file = await run(join(wrong, 'thing.yaml'), wrong, '--alone')
  assert.match(file.stderr, 'expected a folder of DocTypes')
})

diff.run()
