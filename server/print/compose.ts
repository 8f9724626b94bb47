import type { PrintParty, PrintTable, WrittenCard } from '../../engine/definition/model/print.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Field } from '../../engine/fields/field.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import {
  type CardScene,
  cardOf,
  factsOf,
  fieldsNamed,
  keptLines,
  labelOf,
  textIn,
  textOf,
} from './card.ts'
import type { Formats } from './formats.ts'
import { type GridScene, gridOf, isTold, plainTable } from './grid.ts'
import { type Printed, readLinked, readPointing } from './printed.ts'
import type { Card, Grid, Sheet } from './sheet.ts'
import { totalsOf } from './totals.ts'

/** Order for a paper: the record, who asks, and how values are written. */
export interface Order {
  /** Context of who asks. */
  readonly context: Context
  /** Context of the workspace itself: its letterhead is on the paper of everybody who may read the record. */
  readonly system: Context
  readonly formats: Formats
  readonly printed: Printed
  readonly company: Printed | undefined
  /** Two letters of the company's country. */
  readonly home: string | undefined
}

type Body = Omit<Sheet, 'language' | 'paper' | 'choices'>

/** The paper of a record, as its DocType's `print:` says; without it, all that the record tells. */
export async function composeSheet(order: Order): Promise<Body> {
  const { system, formats, printed, company, home } = order
  const { definition, record, print } = printed
  const { label } = formats
  const stamp = definition.submittable ? STAMPS[Number(record.docstatus)] : undefined
  const scene: CardScene = { context: system, formats, home }
  const bank = print.bank === true && company ? await bankOf(scene, company) : undefined
  return {
    title: label(headingOf(printed)),
    number: numberOf(printed),
    ...(stamp === undefined ? {} : { stamp: label(stamp) }),
    ...(company ? { letterhead: await cardOf(scene, company, print.letterhead, printed) } : {}),
    ...(isDeclared(printed) ? await declaredBody(order) : await plainBody(order)),
    ...(bank ? { bank: { label: label('Bank Details'), card: bank } } : {}),
  }
}

const STAMPS: readonly (string | undefined)[] = ['Draft', undefined, 'Cancelled']

/** The number that the record has on paper, else its name. */
function numberOf({ record, print }: Printed): string {
  const own = print.number === undefined ? undefined : record[print.number]
  return typeof own === 'string' && own !== '' ? own : String(record.name)
}

function headingOf({ definition, record, print }: Printed): string {
  const own = Object.entries(print.titles ?? {}).find(([name]) => record[name] === true)
  return own?.[1] ?? print.title ?? definition.label
}

/** A DocType may say only how it stands on the paper of others. */
export function isDeclared({ print }: Printed): boolean {
  return Object.keys(print).some((key) => key !== 'card' && key !== 'number')
}

type Middle = Pick<Body, 'parties' | 'facts' | 'groups' | 'tables' | 'totals' | 'below' | 'notes'>

async function declaredBody(order: Order): Promise<Middle> {
  const { context, formats, printed } = order
  const { definition, record, print } = printed
  const totals = totalsOf(formats, printed)
  const strong = definition.fields.find(({ name }) => name === print.strong)
  const currency = textIn(record[strong?.currencyField ?? ''])
  const scene = { context, formats, currency }
  return {
    parties: await partiesOf(order),
    facts: factsOf(formats, printed, fieldsNamed(definition.fields, print.meta)),
    groups: [],
    tables: await gridsOf({ ...scene, isBare: totals.length > 0 }, printed, print.tables),
    totals,
    below: await gridsOf({ ...scene, isBare: false }, printed, print.below),
    notes: factsOf(formats, printed, fieldsNamed(definition.fields, print.notes)),
  }
}

async function partiesOf({ context, formats, printed, home }: Order): Promise<Body['parties']> {
  const { definition, record, print } = printed
  const parties: { field: string; label: string; card: Card }[] = []
  for (const party of print.parties ?? []) {
    const said: PrintParty = typeof party === 'string' ? { link: party } : party
    const { link, label, name = link } = said
    const field = definition.fields.find((one) => one.name === link)
    if (!field || textIn(record[link]) === undefined) continue
    const linked = await readLinked(context, printed, link)
    const nameField = definition.fields.find((one) => one.name === name) ?? field
    parties.push({
      field: link,
      label: label === undefined ? labelOf(formats, printed, field) : formats.label(label),
      card: linked
        ? await cardOf({ context, formats, home }, linked, said, printed)
        : {
            ...unknownCard({ formats, home }, printed, said),
            name: textOf(formats, printed, nameField),
          },
    })
  }
  return parties
}

/** What a paper has kept of a party that its reader may not open. */
function unknownCard(
  scene: Pick<CardScene, 'formats' | 'home'>,
  { record }: Printed,
  { address = '' }: WrittenCard,
): Omit<Card, 'name'> {
  return { lines: keptLines(scene, textIn(record[address]) ?? ''), reach: [], facts: [] }
}

async function gridsOf(
  scene: GridScene,
  printed: Printed,
  tables: readonly PrintTable[] = [],
): Promise<readonly Grid[]> {
  const grids: Grid[] = []
  for (const table of tables) {
    const grid = await gridOf(scene, printed, table)
    if (grid) grids.push(grid)
  }
  return grids
}

/** Content of the paper of a record that declares none: all it tells, by the sections of its form. */
async function plainBody({ context, formats, printed }: Order): Promise<Middle> {
  const shown = publicFields(printed.definition).filter(
    (field) => !field.hidden && isPrintable(field),
  )
  const told = shown.filter((field) => isTold(printed.record, field))
  const sections = sectionsOf(shown)
  const tables = told.filter(({ child }) => child).map((field) => plainTable(printed, field))
  const short = told.filter((field) => !field.child && !isLong(field))
  const groups = [...new Set(short.map((field) => sections.get(field.name) ?? ''))]
  return {
    parties: [],
    facts: [],
    groups: groups.map((section) => ({
      title: formats.label(section),
      facts: factsOf(
        formats,
        printed,
        short.filter((field) => (sections.get(field.name) ?? '') === section),
      ),
    })),
    tables: await gridsOf(
      { context, formats, currency: undefined, isBare: false },
      printed,
      tables,
    ),
    totals: [],
    below: [],
    notes: factsOf(formats, printed, told.filter(isLong)),
  }
}

function isPrintable({ type }: Field): boolean {
  const { secret, kind } = fieldType(type)
  return !secret && kind !== 'json'
}

function isLong({ type }: Field): boolean {
  return fieldType(type).widget === 'textarea'
}

/** Field → section; a section goes on until the next one begins. */
function sectionsOf(fields: readonly Field[]): ReadonlyMap<string, string> {
  let current = ''
  return new Map(
    fields.map((field): [string, string] => {
      current = field.section ?? current
      return [field.name, current]
    }),
  )
}

async function bankOf(scene: CardScene, company: Printed): Promise<Card | undefined> {
  const { bank } = company.print.card ?? {}
  const account = bank && (await readPointing(scene.context, company, bank))
  return account && cardOf(scene, account)
}
