import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { toldRights } from '../../engine/documents/rights/told-rights.ts'
import { actorOf, findPerson } from '../../server/auth/people.ts'
import { furnish } from '../helpers/generate-workspace.ts'
import { addPerson, cookieOf } from '../server/auth/people.ts'
import { openWatched, type Reply, type Watched } from './workspace.ts'

const test = suite('who decides on leave, expenses and pay')

let watched: Watched
const cookies = new Map<string, string>()
const employees = new Map<string, string>()
const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  worker: ['Employee'],
  colleague: ['Employee'],
  lead: ['Employee', 'Leave Approver', 'Expense Approver'],
  other: ['Employee', 'Leave Approver', 'Expense Approver'],
  hr: ['HR User', 'Employee'],
  boss: ['HR Manager', 'Employee'],
  books: ['Accounts Manager'],
}

test.before(async () => {
  watched = await openWatched({ tier: 'business' })
  const { engine } = watched.app
  await furnish(engine.context(SYSTEM_ACTOR, 'business'))
  for (const [who, roles] of Object.entries(PEOPLE)) {
    const person = await addPerson(engine, mailOf(who), roles)
    cookies.set(who, (await cookieOf(engine, person)).cookie)
  }
  for (const who of ['worker', 'colleague', 'lead', 'hr', 'boss'])
    employees.set(who, await hired(who))
})
test.after(() => watched?.close())

const mailOf = (who: string): string => `${who}@example.com`

async function given(doctype: string, body: object, submit = false): Promise<string> {
  const { engine } = watched.app
  const context = engine.context(SYSTEM_ACTOR, 'business')
  const definition = engine.services.registry.byDoctype(doctype)!
  const { id } = await createDocument(context, definition, body)
  if (submit) await submitDocument(context, definition, id)
  return id
}

async function hired(who: string): Promise<string> {
  const employee = await given('Employee', {
    first_name: who,
    user_id: mailOf(who),
    leave_approver: mailOf(who === 'lead' ? 'other' : 'lead'),
    expense_approver: mailOf(who === 'lead' ? 'other' : 'lead'),
  })
  const days = { from_date: '2026-01-01', to_date: '2026-12-31', new_leaves_allocated: 20 }
  await given('Leave Allocation', { employee, leave_type: 'Annual Leave', ...days }, true)
  return employee
}

const as = (who: string, method: string, path: string, body?: object): Promise<Reply> =>
  watched.send(method, `/v1/${path}`, { headers: { cookie: cookies.get(who)! }, body })

async function status(who: string, method: string, path: string, body?: object): Promise<number> {
  return (await as(who, method, path, body)).status
}

/** By the arrow, or the rule that somebody else decides; what is not theirs to change is not there. */
async function refused(who: string, method: string, path: string, body: object): Promise<void> {
  const answer = await as(who, method, path, body)
  assert.ok([403, 404, 422].includes(answer.status), answer.text)
}

async function asked(who: string, from_date: string): Promise<string> {
  const answer = await as(who, 'POST', 'leave-applications', {
    employee: employees.get(who),
    leave_type: 'Annual Leave',
    from_date,
    to_date: from_date,
  })
  assert.is(answer.status, 201, answer.text)
  return JSON.parse(answer.text).id
}

test('employees ask for leave and take it back, and decide nothing', async () => {
  const path = `leave-applications/${await asked('worker', '2026-05-04')}`
  await refused('worker', 'PATCH', path, { status: 'Approved' })
  await refused('worker', 'PATCH', path, { status: 'Rejected' })
  const born = { employee: employees.get('worker'), leave_type: 'Annual Leave', status: 'Approved' }
  const days = { from_date: '2026-05-11', to_date: '2026-05-11' }
  await refused('worker', 'POST', 'leave-applications', { ...born, ...days })
  assert.is(await status('worker', 'POST', `${path}/submit`), 403)
  assert.is(await status('colleague', 'GET', path), 404)
  assert.is(await status('other', 'GET', path), 404)
  assert.is(await status('worker', 'PATCH', path, { status: 'Cancelled' }), 200)
  assert.is(await status('worker', 'PATCH', path, { status: 'Open' }), 200)
})

test('the approver of the employee decides, and then the employee changes nothing', async () => {
  const path = `leave-applications/${await asked('worker', '2026-06-01')}`
  assert.is(await status('lead', 'PATCH', path, { status: 'Approved' }), 200)
  await refused('worker', 'PATCH', path, { to_date: '2026-06-30' })
  await refused('worker', 'PATCH', path, { status: 'Cancelled' })
  assert.is(await status('lead', 'POST', `${path}/submit`), 200)
  assert.is(await status('worker', 'GET', path), 200)
  assert.is(await status('lead', 'POST', `${path}/cancel`), 403)
})

test('nobody decides on what is their own, also not by naming themselves the approver', async () => {
  const own = `leave-applications/${await asked('lead', '2026-07-06')}`
  await refused('lead', 'PATCH', own, { status: 'Approved' })
  assert.is(await status('lead', 'PATCH', own, { leave_approver: mailOf('lead') }), 200)
  await refused('lead', 'PATCH', own, { status: 'Approved' })
  assert.is(await status('hr', 'PATCH', own, { status: 'Approved' }), 200)
})

test('expenses likewise', async () => {
  const answer = await as('worker', 'POST', 'expense-claims', {
    employee: employees.get('worker'),
    expenses: [{ amount: 30 }],
  })
  assert.is(answer.status, 201, answer.text)
  const path = `expense-claims/${JSON.parse(answer.text).id}`
  await refused('worker', 'PATCH', path, { approval_status: 'Approved' })
  assert.is(await status('books', 'PATCH', path, { approval_status: 'Approved' }), 403)
  assert.is(await status('other', 'GET', path), 404)
  assert.is(await status('lead', 'PATCH', path, { approval_status: 'Approved' }), 200)
  await refused('worker', 'PATCH', path, { expenses: [{ amount: 3000 }] })
  assert.is(await status('lead', 'POST', `${path}/submit`), 200)
  assert.is(await status('books', 'POST', `${path}/actions/make_payment`), 200)
})

test('pay is for HR managers, and each sees their own slips once they hold', async () => {
  await given(
    'Salary Structure',
    { name: 'Staff', earnings: [{ salary_component: 'Basic' }] },
    true,
  )
  const employee = employees.get('worker')!
  const body = { employee, salary_structure: 'Staff', from_date: '2026-01-01', base: 3000 }
  await given('Salary Structure Assignment', body, true)
  const path = `salary-slips/${await given('Salary Slip', { employee })}`
  assert.is(await status('worker', 'GET', path), 404)
  assert.is(await status('hr', 'GET', path), 404)
  assert.is(await status('books', 'GET', path), 403)
  assert.is(await status('boss', 'POST', `${path}/submit`), 200)
  assert.is(await status('worker', 'GET', path), 200)
  assert.is(await status('colleague', 'GET', path), 404)
  for (const slug of [
    'salary-components',
    'salary-structures',
    'salary-structure-assignments',
    'payroll-entries',
  ])
    for (const who of ['worker', 'hr', 'books'])
      assert.is(await status(who, 'GET', slug), 403, slug)
})

/** An expense claim of the HR user's own, over an amount that somebody else has to decide on. */
async function ownClaim(): Promise<string> {
  const answer = await as('hr', 'POST', 'expense-claims', {
    employee: employees.get('hr'),
    expenses: [{ amount: 9999 }],
  })
  assert.is(answer.status, 201, answer.text)
  return `expense-claims/${JSON.parse(answer.text).id}`
}

async function notSet(who: string, employee: string, body: object): Promise<void> {
  const path = `employees/${employees.get(employee)}`
  const answer = await as(who, 'PATCH', path, body)
  assert.is(answer.status, 422, answer.text)
  const [detail] = JSON.parse(answer.text).error.details
  assert.is(detail.code, who === 'boss' ? 'rule' : 'role_needed', answer.text)
}

test('who approves whose expenses is not for those who file them to say (D4)', async () => {
  const path = await ownClaim()
  await refused('hr', 'PATCH', path, { approval_status: 'Approved' })
  await notSet('hr', 'hr', { expense_approver: mailOf('hr') })
  await notSet('hr', 'hr', { user_id: null })
  await refused('hr', 'PATCH', path, { approval_status: 'Approved' })
  const ghost = { first_name: 'Ghost', expense_approver: mailOf('hr') }
  assert.is(await status('hr', 'POST', 'employees', ghost), 422)
  assert.is(
    await status('hr', 'PATCH', `employees/${employees.get('hr')}`, { gender: 'Other' }),
    200,
  )
  // Who may set them says it of others, not of themselves.
  await notSet('boss', 'boss', { expense_approver: mailOf('boss') })
  await notSet('boss', 'boss', { user_id: null })
  const worker = `employees/${employees.get('worker')}`
  assert.is(await status('boss', 'PATCH', worker, { expense_approver: mailOf('other') }), 200)
  assert.is(await status('boss', 'PATCH', worker, { expense_approver: mailOf('lead') }), 200)
})

test("whose pay is one's own is not for HR users to say (D5)", async () => {
  await notSet('hr', 'worker', { user_id: mailOf('hr') })
  await notSet('hr', 'hr', { user_id: null })
  const own = await as('hr', 'GET', 'salary-slips')
  assert.is(own.status, 200, own.text)
  assert.equal(JSON.parse(own.text).data, [])
})

test('which rule says so can be asked', async () => {
  const { engine } = watched.app
  const told = async (who: string, doctype: string, id: string, place?: string) => {
    const person = (await findPerson(engine.services, mailOf(who)))!
    const definition = engine.services.registry.byDoctype(doctype)!
    const context = engine.context(actorOf(person), 'business')
    const rights = await toldRights(context, definition, id, place)
    return rights.map(({ right, may, why }) => `${right} ${may}: ${why}`)
  }
  const worker = employees.get('worker')!
  const [read, update] = await told('worker', 'Employee', worker)
  assert.is(read, 'read true: Employee (permissions.roles): those with user_id == user.name')
  assert.match(update!, /^update false: .*it needs the role HR User or HR Manager/)
  assert.equal(await told('colleague', 'Employee', worker, 'user_id'), [
    'read false: it is none of the records of Employee (permissions.roles): those with user_id == user.name',
    update!.replace('update false', 'set false'),
  ])
  const ofField = await told('hr', 'Employee', worker, 'user_id')
  assert.match(ofField[0]!, /^read true: .*HR User .*: all records/)
  assert.is(ofField[1], 'set false: permissions.fields: only HR Manager set it')
  assert.match((await told('boss', 'Employee', worker, 'user_id'))[1]!, /^set true: HR Manager/)
})

test.run()
