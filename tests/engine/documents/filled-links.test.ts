import * as assert from 'uvu/assert'
import type { Actor } from '../../../engine/access/actor.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, refused, type Workspace } from './workspace.ts'

/** Ways to fill the link `vault`, or the column `number`, from the text `code` that anybody may write. */
const WAYS: Readonly<Record<string, { readonly fields: string; readonly path?: string }>> = {
  Default: { fields: 'vault: {type: link, options: Vault, default: code}' },
  Given: { fields: 'vault: {type: link, options: Vault, default: given.code}' },
  Coalesced: { fields: 'vault: {type: link, options: Vault, default: "coalesce(other, code)"}' },
  Formula: { fields: 'vault: {type: link, options: Vault, formula: code}' },
  Made: { fields: 'vault: {type: link, options: Vault, formula: concat(code)}' },
  Chosen: { fields: `vault: {type: link, options: Vault, formula: 'code == "" ? other : code'}` },
  Fetched: { fields: 'vault: {type: link, options: Vault, fetch: shelf.code}' },
  Mirrored: {
    fields: `copy: {type: data, readOnly: true, fetch: shelf.code}
  vault: {type: link, options: Vault, formula: copy}`,
  },
  Named: {
    fields:
      'vault: {type: link, options: Vault, lookup: {from: Vault, match: code, value: name}}',
  },
  Searched: {
    fields: `vault: {type: link, options: Vault, lookup: {from: Vault, where: 'name == this.code', value: name}}`,
  },
  Said: {
    fields:
      'vault: {type: link, options: Vault, lookup: {from: Shelf, match: shelf, value: code}}',
  },
  InRow: {
    path: 'lines[0].number',
    fields: `lines:
    type: table
    options: Peek InRow Line
    fields:
      text: {type: data}
      number: {type: link, options: Vault, formula: parent.code}
      shown: {type: data, fetch: number.secret}`,
  },
  Called: {
    path: 'lines[0].number',
    fields: `lines:
    type: table
    options: Peek Called Line
    call: {hook: listed_numbers, with: {text: code}}
    fields:
      number: {type: link, options: Vault}
      shown: {type: data, fetch: number.secret}`,
  },
  Copied: {
    path: 'lines[0].number',
    fields: `lines:
    type: table
    options: Peek Copied Line
    fetch: shelf.lines
    fields:
      number: {type: link, options: Vault}
      shown: {type: data, fetch: number.secret}`,
  },
}

const isTable = (way: string): boolean => WAYS[way]!.path !== undefined

const peek = (way: string): string => `
doctype: Peek ${way}
module: crm
tier: free
submittable: true
naming: "PK-${way}-{#####}"
fields:
  code: {type: data}
  shelf: {type: link, options: Shelf}
  other: {type: link, options: Vault}
  ${WAYS[way]!.fields}
  ${isTable(way) ? '' : 'seen: {type: data, fetch: vault.secret}'}
${isTable(way) ? '' : `validate: [{check: vault.secret != "the combination is 42", field: code, message: 'it is {vault.secret}'}]`}
actions:
  tell:
    input: {text: {type: data}}
    steps: [{set: {code: input.text}}]
permissions: {roles: {Clerk: [all]}}
`

const DOCTYPES = `
doctype: Vault
module: crm
tier: free
naming: prompt
fields:
  secret: {type: data}
permissions:
  roles:
    Clerk: [all]
    Chief: [all]
  rows: {Clerk: owner == user.name}
---
doctype: Shelf
module: crm
tier: free
naming: prompt
fields:
  code: {type: data}
  vault: {type: link, options: Vault}
  lines:
    type: table
    options: Shelf Line
    fields:
      number: {type: data}
permissions: {roles: {Clerk: [all], Chief: [all]}}
---
doctype: Late
module: crm
tier: free
submittable: true
naming: "LT-{#####}"
fields:
  code: {type: data}
  vault: {type: link, options: Vault, lookup: {from: Vault, match: code, value: name, at: submit}}
  seen: {type: data, lookup: {from: Vault, match: vault, value: secret, at: submit}}
permissions: {roles: {Clerk: [all]}}
---
doctype: Trusting
module: crm
tier: free
naming: "TR-{#####}"
fields:
  shelf: {type: link, options: Shelf}
  vault: {type: link, options: Vault, fetch: shelf.vault}
  again: {type: link, options: Vault, formula: 'shelf == "" ? "" : vault'}
  seen: {type: data, fetch: again.secret}
permissions: {roles: {Clerk: [all]}}
---
${Object.keys(WAYS).map(peek).join('---')}`

const CLERK: Actor = {
  kind: 'user',
  id: 'clerk@example.com',
  name: 'clerk@example.com',
  scope: 'admin',
  roles: ['Clerk'],
}
const NO_SUCH_VAULT = 'expected an existing Vault'
const HIDDEN = 'V-HIDDEN'
const NOBODYS = 'V-NOBODY'
const OWN = 'V-OWN'

forEachDatabase('links that rules fill', ({ test, create }) => {
  let workspace: Workspace
  const asClerk = () => workspace.engine.context(CLERK, 'free')

  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    const secret = 'the combination is 42'
    await workspace.create('Vault', { name: HIDDEN, secret })
    await workspace.create('Vault', { name: OWN, secret: 'mine' }, asClerk())
    for (const code of [HIDDEN, NOBODYS, OWN])
      await workspace.create('Shelf', { name: code, code, lines: [{ number: code }] })
  })
  test.after(() => workspace?.close())

  /** What a record is sent with, so that the rule of any way leads to `code`. */
  const body = (code: string, way: string) => ({
    code,
    shelf: code,
    ...(way === 'InRow' ? { lines: [{ text: 'x' }] } : {}),
  })
  const seenIn = (way: string, record: Readonly<Record<string, unknown>>): unknown =>
    isTable(way)
      ? (record.lines as readonly { shown: unknown }[])[0]?.shown
      : (record as { seen?: unknown }).seen

  /** What a request is refused with, the name it sent left out. */
  async function problems(promise: Promise<unknown>, code: string): Promise<string> {
    const error = await refused('VALIDATION_ERROR', promise)
    return JSON.stringify([error.message, error.details]).replaceAll(code, '…')
  }

  for (const way of Object.keys(WAYS)) {
    const { path = 'vault' } = WAYS[way]!
    const doctype = `Peek ${way}`

    test(`${way}: what the caller may not read is refused as if it were not there`, async () => {
      const made = workspace.create(doctype, body(HIDDEN, way), asClerk())
      // A look-up by name finds nothing that is not there, and leaves the link empty.
      if (way === 'Named') return void assert.is((await made).record.vault, null)
      const told = await problems(made, HIDDEN)
      assert.match(told, NO_SUCH_VAULT)
      assert.match(told, JSON.stringify(path).slice(1, -1))
      assert.not.match(told, 'combination')
      if (way === 'Searched') return
      const absent = await problems(
        workspace.create(doctype, body(NOBODYS, way), asClerk()),
        NOBODYS,
      )
      assert.is(told, absent)
    })

    test(`${way}: nobody makes a link to nothing`, async () => {
      const made = workspace.create(doctype, body(NOBODYS, way))
      if (['Named', 'Searched'].includes(way))
        return void assert.is((await made).record.vault, null)
      assert.match(await problems(made, NOBODYS), NO_SUCH_VAULT)
    })

    test(`${way}: what the caller may read is filled in`, async () => {
      const { record } = await workspace.create(doctype, body(OWN, way), asClerk())
      assert.is(seenIn(way, record), 'mine')
    })

    test(`${way}: neither a change, an action nor a submit gets around it`, async () => {
      const { id } = await workspace.create(doctype, {}, asClerk())
      const changes = [
        () => workspace.update(doctype, id, body(HIDDEN, way), asClerk()),
        () => workspace.act(doctype, id, 'tell', { text: HIDDEN }, asClerk()),
        () => workspace.submit(doctype, id, asClerk()),
      ]
      for (const change of changes) {
        const told = await change().then(
          ({ json }) => json,
          (error: { details?: unknown }) => JSON.stringify(error.details),
        )
        assert.not.match(told, 'combination')
      }
      const { record } = await workspace.get(doctype, id)
      assert.not.match(JSON.stringify(record), 'combination')
    })
  }

  test('what a submit looks up is looked at too', async () => {
    const { id } = await workspace.create('Late', { code: HIDDEN }, asClerk())
    const { record } = await workspace.submit('Late', id, asClerk())
    assert.equal([record.vault, record.seen], [null, null])
    const own = await workspace.create('Late', { code: OWN }, asClerk())
    assert.is((await workspace.submit('Late', own.id, asClerk())).record.vault, OWN)
  })

  test('what a record that the caller reads links to is filled in, whoever may read it', async () => {
    await workspace.create('Shelf', { name: 'open', vault: HIDDEN })
    const { record } = await workspace.create('Trusting', { shelf: 'open' }, asClerk())
    assert.is(record.again, HIDDEN)
    await refused('VALIDATION_ERROR', workspace.create('Trusting', { shelf: NOBODYS + 1 }))
  })
})
