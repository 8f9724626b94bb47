import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { createDocument } from '../../../engine/documents/operations/create.ts'
import { setPassword } from '../../../server/auth/accounts.ts'
import { reissuePair } from '../../../server/auth/key-pairs.ts'
import { peopleOf } from '../../../server/auth/people.ts'
import { hashedOnce } from '../auth/people.ts'
import { openTestApp, TEST_DOCTYPES, type TestApp, type TestAppOptions } from '../test-app.ts'

/** Beside those of the test app: a document with actions and rules. */
export const SITE_DOCTYPES: Readonly<Record<string, string>> = {
  ...TEST_DOCTYPES,
  'blue-gadget': `
doctype: Blue Gadget
module: stock
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  price: {type: currency, filterable: true}
`,
  errand: `
doctype: Errand
module: stock
tier: free
submittable: true
naming: ERR-{#####}
search: [title]
title: title
fields:
  title: {type: data, required: true, filterable: true}
  size: {type: int, min: 0}
  amount: {type: currency, filterable: true}
  urgent: {type: check}
  due: {type: date}
  code: {type: data, createOnly: true}
  double_size: {type: int, formula: size * 2}
  parcel: {type: link, options: Parcel}
  gadget: {type: link, options: Gadget}
  note: {type: small_text}
  carrier: {type: data, allow_on_submit: true}
  lines:
    type: table
    options: Errand Line
    fields:
      gadget: {type: link, options: Gadget}
      qty: {type: float, required: true}
      remark: {type: data}
      serial: {type: data, allow_on_submit: true}
actions:
  enlarge:
    label: Make Larger
    input:
      by: {type: int, default: "1"}
    steps:
      - set: {size: size + input.by}
`,
  request: `
doctype: Holiday Request
module: stock
tier: free
naming: HOL-{#####}
fields:
  title: {type: data}
status:
  field: state
  initial: Open
  flow:
    Open: {Approved: [Stock Manager], Withdrawn: [All]}
    Withdrawn: [Open]
actions:
  shelve: {moves: Shelved}
`,
}

export const PASSWORD = 'correct horse 9'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export type Anything = any

/** An answer, with its JSON read where it is some. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Anything
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as a urlencoded form. */
  readonly form?: Readonly<Record<string, string>>
  /** Sent as it is. */
  readonly body?: string | Uint8Array | FormData
  /** `Authorization`; null sends none. Default: the System Manager's token. */
  readonly as?: string | null
}

/** The real app on a port of its own, with people. */
export interface Site {
  readonly test: TestApp
  readonly url: string
  /** `token key:secret` of a System Manager. */
  readonly token: string
  /** Adds somebody; returns their `token key:secret`. */
  addPerson(login: string, roles: readonly string[]): Promise<string>
  call(method: string, path: string, sent?: Sent): Promise<Answered>
  close(): Promise<void>
}

export async function openSite(options: TestAppOptions = {}): Promise<Site> {
  const test = await openTestApp({ doctypes: SITE_DOCTYPES, ...options })
  const server: Server = test.app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function addPerson(login: string, roles: readonly string[]): Promise<string> {
    const { engine } = test
    const context = engine.context(SYSTEM_ACTOR, 'business')
    await createDocument(context, peopleOf(engine.services), {
      login,
      ...(login.includes('@') ? { email: login } : {}),
      full_name: login,
      roles: roles.map((role) => ({ role })),
    })
    const hashed = await hashedOnce(PASSWORD)
    const pair = await engine.services.database.write(async (tx) => {
      await setPassword(tx, engine.services, login, hashed)
      return reissuePair(tx, engine.services, login)
    })
    return `token ${pair.api_key}:${pair.api_secret}`
  }

  await addRoles(test, ['System Manager', 'Stock Manager', 'Sales User'])
  const token = await addPerson('ada@example.com', ['System Manager'])
  return {
    test,
    url,
    token,
    addPerson,
    async call(method, path, { headers = {}, json, form, body, as = token } = {}) {
      const answer = await fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(as === null ? {} : { Authorization: as }),
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
        ...(body === undefined ? {} : { body }),
      })
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
      return {
        status: answer.status,
        headers: answer.headers,
        text,
        body: isJson ? JSON.parse(text) : undefined,
      }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await test.close()
    },
  }
}

/** Records of the roles' DocType, which people's roles link to. */
async function addRoles({ engine }: TestApp, roles: readonly string[]): Promise<void> {
  const context = engine.context(SYSTEM_ACTOR, 'business')
  const definition = engine.services.registry.serving('roles')!
  for (const role_name of roles) await createDocument(context, definition, { role_name })
}
