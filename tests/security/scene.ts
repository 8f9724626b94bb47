import {
  openTestApp,
  TEST_DOCTYPES,
  type TestApp,
  type TestAppOptions,
} from '../server/test-app.ts'
import { addMember, type Member, send, type Verb } from './people.ts'

/** DocTypes with rights beside those of the test app: some rows of one's own, nothing at all, a link to a secret. */
export const GUARDED_DOCTYPES: Readonly<Record<string, string>> = {
  errand: `
doctype: Errand
module: crm
tier: free
submittable: true
naming: "ERR-{###}"
fields:
  title: {type: data, required: true, filterable: true}
  assignee: {type: data, filterable: true}
  region: {type: data, filterable: true}
permissions:
  roles:
    Employee: [read, create, update, submit]
    Stock User: [read, delete]
    Sales Manager: [all]
  rows:
    Employee: assignee == user.email
    Stock User: region == "North"
`,
  dossier: `
doctype: Dossier
module: crm
tier: free
naming: "DOS-{###}"
title: subject
fields:
  subject: {type: data, required: true, filterable: true}
permissions:
  roles:
    Sales Manager: [all]
`,
  gift: `
doctype: Gift
module: crm
tier: free
naming: "GIFT-{###}"
fields:
  label: {type: data, filterable: true}
  dossier: {type: link, options: Dossier, filterable: true}
permissions:
  roles:
    Employee: [all]
`,
}

export const PASSWORD = 'correct horse battery staple'

/** The test app with the guarded DocTypes and three people: a System Manager, a Sales Manager and an Employee. */
export interface Scene extends TestApp {
  readonly boss: Member
  readonly manager: Member
  readonly worker: Member
  /** A call by a key (`svc_…`), a person, or nobody. */
  call(who: Member | string | undefined, verb: Verb, path: string): ReturnType<typeof send>
}

export async function openScene(options: TestAppOptions = {}): Promise<Scene> {
  const app = await openTestApp({
    tier: 'pro',
    doctypes: { ...TEST_DOCTYPES, ...GUARDED_DOCTYPES, ...options.doctypes },
    ...options,
    settings: { smtpUrl: 'smtp://mail.invalid', rateLimit: false, ...options.settings },
  })
  return {
    ...app,
    boss: await addMember(app, 'boss@example.com', ['System Manager'], PASSWORD),
    manager: await addMember(app, 'mona@example.com', ['Sales Manager'], PASSWORD),
    worker: await addMember(app, 'will@example.com', ['Employee'], PASSWORD),
    call: (who, verb, path) => send(app, verb, path, credential(who)),
  }
}

function credential(who: Member | string | undefined): Readonly<Record<string, string>> {
  if (who === undefined) return {}
  return typeof who === 'string' ? { 'x-api-key': who } : { authorization: who.authorization }
}
