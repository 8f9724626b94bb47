import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createMasters } from '../../cli/setup/masters.ts'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import type { AppError } from '../../engine/base/errors.ts'
import { kebab } from '../../engine/definition/normalise/slug.ts'
import { runAction } from '../../engine/documents/operations/act.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import { runScheduled } from '../../engine/documents/schedule/scheduled.ts'
import { verifyWorkspace } from '../../engine/documents/verify/verify.ts'
import type { Engine } from '../../engine/index.ts'
import { runReport } from '../../engine/reports/run/run.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openPrepared } from '../helpers/prepared.ts'
import { blockPath, isBlock, isDocType, isReport, yamlExamples } from './doctype-pages.ts'
import { blocksOf, ROOT } from './page.ts'

const SHIPPED = join(ROOT, 'doctypes')
const [OUTFIT = ''] = blocksOf('docs/doctypes/cookbook/brings.md', 'text')
const EXAMPLES = yamlExamples().filter(isDocType)
const BLOCKS = yamlExamples().filter(isBlock)
const REPORTS = yamlExamples().filter(isReport)
const nameOf = (text: string): string => /^(?:doctype|report): (.+)$/m.exec(text)?.[1] ?? ''

forEachDatabaseWhenDeep('the first DocType and the recipes', ({ test, create }) => {
  let engine: Engine
  let folder = ''
  test.before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-examples-'))
    for (const [index, text] of EXAMPLES.entries())
      writeFileSync(join(folder, `example-${index}.yaml`), text)
    mkdirSync(join(folder, 'blocks'))
    for (const text of BLOCKS) writeFileSync(join(folder, blockPath(text)), text)
    mkdirSync(join(folder, 'reports'))
    for (const text of REPORTS)
      writeFileSync(join(folder, 'reports', `${kebab(nameOf(text))}.yaml`), text)
    mkdirSync(join(folder, 'setup/outfits'), { recursive: true })
    writeFileSync(join(folder, 'setup/outfits/workshop.yaml'), OUTFIT)
    engine = await openPrepared({
      database: await create(),
      doctypes: [SHIPPED, folder],
      secretKey: Buffer.alloc(32, 7),
      clock: { now: () => Date.parse('2026-03-09T12:00:00.000Z') },
    })
    const context = engine.context(SYSTEM_ACTOR, 'business')
    await createMasters(context, [SHIPPED])
    await make('Company', { company_name: 'Acme', default_currency: 'EUR' })
  })
  test.after(async () => {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('every report can be run', async () => {
    assert.is(REPORTS.length, 2)
    for (const name of REPORTS.map(nameOf)) {
      const report = engine.reports().byName(name)!
      const { columns } = await runReport(context(), report, {
        given: new Map(),
        limit: 20,
        offset: 0,
      })
      assert.ok(columns.length > 3, name)
    }
  })

  const definition = (doctype: string) => engine.services.registry.byDoctype(doctype)!
  const context = () => engine.context(SYSTEM_ACTOR, 'business')
  const make = async (doctype: string, body: object) =>
    (await createDocument(context(), definition(doctype), body)).record
  const submit = async (doctype: string, body: object) => {
    const { id } = await createDocument(context(), definition(doctype), body)
    return submitted(doctype, id)
  }
  const submitted = async (doctype: string, id: unknown) =>
    (await submitDocument(context(), definition(doctype), String(id))).record
  const get = async (doctype: string, id: string) =>
    (await getDocument(context(), definition(doctype), id)).record
  const act = async (doctype: string, id: unknown, name: string, input: object = {}) =>
    (await runAction(context(), definition(doctype), String(id), name, input)).record

  /** The id of what an action created. */
  const madeBy = ({ _created }: Record<string, unknown>) => (_created as { id: string }[])[0]?.id

  test('the first DocType follows its bills, and is retired', async () => {
    await make('Fleet Vehicle', { license_plate: 'W-1' })
    const supplier = await make('Supplier', { supplier_name: 'Fuel Cards' })
    const fillings = [{ vehicle: 'W-1', litres: 40, price: 1.5 }]
    const bill = await submit('Fuel Card Bill', { supplier: supplier.id, fillings, discount: 10 })
    assert.is(bill.total, 54)
    const vehicle = await get('Fleet Vehicle', 'W-1')
    assert.equal([vehicle.litres, vehicle.status], [40, 'In Use'])
    assert.is((await act('Fleet Vehicle', 'W-1', 'retire')).status, 'Out of Use')
  })

  test('a document that is owed is paid', async () => {
    const customer = await make('Customer', { customer_name: 'Builder', tax_id: 'DE1' })
    const body = { customer: customer.id, tool: 'Crane', days: 3, day_rate: 20 }
    const rental = await submit('Tool Rental', body)
    assert.equal([rental.status, rental.due_date], ['Unpaid', '2026-03-23'])
    const note = await make('Debt Note', { about: 'Tool Rental', document: rental.id })
    assert.is(note.due, 60)
    const paying = await act('Tool Rental', rental.id, 'make_payment')
    assert.is((await get('Tool Rental', String(rental.id))).status, 'Unpaid', 'it is a draft')
    await submitted('Payment Entry', madeBy(paying))
    const paid = await get('Tool Rental', String(rental.id))
    assert.equal([paid.status, paid.outstanding_amount], ['Paid', 0])
  })

  test('an approval goes along its arrows, above a limit by a manager', async () => {
    const small = await make('Spending Request', { purpose: 'Pens', amount: 10 })
    const large = await make('Spending Request', { purpose: 'Desk', amount: 2000 })
    const approve = (id: unknown) =>
      updateDocument(context(), definition('Spending Request'), String(id), { status: 'Approved' })
    const { record } = await approve(small.id)
    assert.equal([record.status, record.decided_at], ['Approved', '2026-03-09T12:00:00.000Z'])
    const refused = await approve(large.id).catch((error: AppError) => error)
    assert.match(JSON.stringify(refused), 'goes to a manager above 1')
    assert.is((await act('Spending Request', large.id, 'approve_any_amount')).status, 'Approved')
  })

  test('a lending says what is missing once, and lends it again', async () => {
    const tools = [
      { tool: 'Saw', qty: 3, returned: 1, price: 10 },
      { tool: 'Axe', qty: 1, returned: 1, price: 9 },
    ]
    const lent = await submit('Tool Lending', { person: 'Ada', back_on: '2026-03-01', tools })
    const owed = (lent.tools as { owed: number }[]).map((row) => row.owed)
    assert.equal([lent.status, owed], ['Late', [20, 0]])
    assert.not.ok('missing' in lent || 'left' in (lent.tools as object[])[0]!)
    const again = await get(
      'Tool Lending',
      madeBy(await act('Tool Lending', lent.id, 'lend_the_rest'))!,
    )
    const rows = (again.tools as Record<string, unknown>[]).map(({ tool, qty }) => [tool, qty])
    assert.equal([again.person, rows], ['Ada', [['Saw', 2]]])
    const over = make('Tool Lending', { person: 'Bob', tools: [{ ...tools[0], returned: 4 }] })
    const refused = await over.catch((error: AppError) => error)
    assert.match(JSON.stringify(refused), 'only 3 of Saw were lent')
  })

  test('a hire takes its days from a block', async () => {
    const { id: hirer } = await make('Customer', { customer_name: 'Mover', tax_id: 'DE9' })
    const hire = { trailer: 'T1', hirer, first_day: '2026-03-09', price_per_day: 20 }
    const made = await make('Trailer Hire', { ...hire, last_day: '2026-03-11' })
    assert.equal([made.days, made.total], [3, 60])
    const backwards = make('Trailer Hire', { ...hire, last_day: '2026-03-01' })
    const refused = await backwards.catch((error: AppError) => error)
    assert.match(JSON.stringify(refused), 'is before the first day')
    assert.equal(
      definition('Trailer Hire').fields.map(({ name }) => name),
      ['trailer', 'hirer', 'first_day', 'last_day', 'price_per_day', 'days', 'total'],
    )
  })

  test('numbers begin anew for each branch', async () => {
    for (const [title, code] of [
      ['Vienna', 'VIE'],
      ['Graz', 'GRZ'],
    ])
      await make('Cash Branch', { title, code })
    const ids: unknown[] = []
    for (const branch of ['Vienna', 'Vienna', 'Graz'])
      ids.push((await make('Branch Receipt', { branch, received: 1 })).id)
    assert.equal(ids, ['VIE-2026-00001', 'VIE-2026-00002', 'GRZ-2026-00001'])
  })

  test('the next document is made of what is left to do', async () => {
    const customer = await make('Customer', { customer_name: 'Mill', tax_id: 'DE2' })
    const offer = await submit('Machine Offer', {
      customer: customer.id,
      machines: [{ machine: 'Saw', qty: 3, price: 100 }],
    })
    const [row] = offer.machines as { row_id: string }[]
    const first = { machine: 'Saw', qty: 1, price: 100, offer_row: row!.row_id }
    await make('Machine Order', { customer: customer.id, offer: offer.id, machines: [first] })
    const ordering = await act('Machine Offer', offer.id, 'make_order')
    assert.is(ordering.open_machines, 0)
    const order = await get('Machine Order', String(madeBy(ordering)))
    assert.equal([order.offer, order.total], [offer.id, 200])
    const again = await make('Machine Order', { customer: customer.id, machines: [first] }).catch(
      (error: AppError) => error,
    )
    assert.match(JSON.stringify(again), 'only 3 of Saw were offered')
  })

  test('bring records along', async () => {
    const site = await make('Garage Site', {
      site_name: 'Munich',
      short_name: 'MUC',
      outfit: 'Workshop',
    })
    assert.is(site.main_bay, 'Lift - MUC')
    const pit = await get('Garage Bay', 'Pit - MUC')
    assert.equal([pit.site, pit.next_to], ['Munich', 'Lift - MUC'])
  })

  test('call a hook', async () => {
    for (const item_code of ['TABLE', 'LEG', 'WOOD'])
      await make('Item', { item_code, item_name: item_code })
    const leg = await make('BOM', {
      item: 'LEG',
      quantity: 2,
      items: [{ item_code: 'WOOD', qty: 1, rate: 3 }],
    })
    const items = [{ item_code: 'LEG', qty: 4, bom_no: leg.id }]
    const table = await make('BOM', { item: 'TABLE', items })
    // 10 tables have 40 legs, and 1 of wood makes 2 legs.
    const list = await make('Parts List', { bom: table.id, quantity: 10 })
    const [part] = list.parts as { item_name: string; qty: number }[]
    assert.equal([part?.item_name, part?.qty, list.cost], ['WOOD', 20, 60])
  })

  test('behave as it says', async () => {
    const permit = await make('Parking Permit', { fee: 12 })
    assert.equal([permit.company, permit.currency, permit.account], ['Acme', 'EUR', 'Bank'])

    await make('Pool Vehicle', { license_plate: 'B-1' })
    await make('Vehicle Trip', { vehicle: 'B-1', kilometres: 14_999 })
    assert.is((await get('Pool Vehicle', 'B-1')).needs_service, false)
    await make('Vehicle Trip', { vehicle: 'B-1', kilometres: 501, is_private: true })
    const vehicle = await get('Pool Vehicle', 'B-1')
    assert.equal(
      [vehicle.driven, vehicle.private_trips, vehicle.longest_trip, vehicle.needs_service],
      [15_500, 1, 14_999, true],
    )

    await make('Fuel Price', { fuel: 'Diesel', valid_from: '2026-01-01', price: 1.5 })
    const filled = await submit('Fuel Movement', { tank: 'T1', litres: 1200 })
    assert.equal([filled.price, filled.value, filled.checked], [1.5, 1800, false])
    const taken = await submit('Fuel Movement', { tank: 'T1', litres: -200 })
    assert.equal([taken.value, taken.checked], [-300, true])
    const balance = await get('Tank Balance', 'T1::Diesel')
    assert.equal([balance.litres, balance.value, balance.price], [1000, 1500, 1.5])

    const supplier = await make('Supplier', { supplier_name: 'Garage' })
    const bill = await submit('Garage Bill', {
      supplier: supplier.id,
      parts: [
        { part: 'Tyre', cost: 80.1 },
        { part: 'Oil', cost: 20.3 },
      ],
    })
    assert.equal([bill.total, bill.paid], [100.4, 100])

    const request = await make('Rental Request', { days: 2 })
    const handed = await act('Rental Request', request.id, 'hand_over', {
      vehicle: 'B-1',
      kilometres: 5,
    })
    assert.equal([handed.status, handed.vehicle], ['Handed Over', 'B-1'])

    const round = await make('Service Round', { garage: 'North' })
    const collected = await act('Service Round', round.id, 'collect')
    assert.equal((collected.vehicles as { vehicle: string }[])[0]?.vehicle, 'B-1')
    await submitted('Service Round', round.id)
    const serviced = await get('Pool Vehicle', 'B-1')
    assert.equal([serviced.garage, serviced.rounds, serviced.driven], ['North', 1, 15_510])

    const rent = await make('Garage Rent', {
      supplier: supplier.id,
      amount: 250,
      next_day: '2026-01-01',
    })
    assert.equal(await runScheduled(engine.services), { ran: 3, failed: 0 })
    assert.is((await get('Garage Rent', String(rent.id))).next_day, '2026-04-01')

    const ticket = await submit('Parking Ticket', {
      vehicle: 'B-1',
      fine: 30,
      due_date: '2026-03-01',
    })
    assert.is(ticket.status, 'Overdue')
    assert.is((await act('Parking Ticket', ticket.id, 'pay')).status, 'Paid')

    const { checks } = await verifyWorkspace(engine.services)
    assert.equal(
      checks.filter(({ differences }) => differences > 0),
      [],
    )
  })
})
