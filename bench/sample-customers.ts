import { closeSync, openSync, writeSync } from 'node:fs'
import { mixed } from './sample-items.ts'

const FIRST =
  `Anna Bela Carl Dora Emil Frida Georg Hanna Ivan Julia Karim Lena Mehmet Nora Otto Paula
  Quentin Rosa Sven Tessa Ugo Vera Wim Xenia Yusuf Zoë`.split(/\s+/)
const LAST =
  `Adler Becker Conti Dubois Eriksson Fischer García Huber Ivanov Jensen Kowalski López Müller
  Novák Okafor Petrov Quist Rossi Schmidt Tanaka Ueda Vogel Weber Xu Yılmaz Zimmermann`.split(/\s+/)
const TRADES = `Maschinenbau Logistics Bakery Hotel Cycles Elektro Foods Textiles Consulting Studio
  Printing Motors Glass Timber Optics Tools`.split(/\s+/)
const FORMS = ['GmbH', 'Ltd', 'S.A.', 'AB', 'Inc.', 'BV', '& Sons, Ltd']
const GROUPS = ['Commercial', 'Individual', 'Non Profit', 'Government']
const TERRITORIES = ['All Territories', 'Rest Of The World']
const CURRENCIES = ['USD', 'EUR', 'GBP', 'CHF', '']

/** Columns of the file, in its order. */
export const CUSTOMER_COLUMNS = [
  'customer_name',
  'customer_type',
  'customer_group',
  'territory',
  'email_id',
  'phone',
  'website',
  'tax_id',
  'default_currency',
  'credit_limit',
  'customer_details',
] as const

export type CustomerColumn = (typeof CUSTOMER_COLUMNS)[number]

/** The cells of the nth customer, always the same; some are empty, as in real files. */
function sampleCustomer(n: number): Record<CustomerColumn, string> {
  const pick = (list: readonly string[], salt: number): string =>
    list[mixed(n * 8 + salt) % list.length]!
  const isPerson = n % 4 === 0
  const [first, last] = [pick(FIRST, 0), pick(LAST, 1)]
  const name = isPerson
    ? `${first} ${last} ${n}`
    : `${last} ${pick(TRADES, 2)} ${n} ${pick(FORMS, 3)}`
  const host = `${ascii(last)}${n}.example`
  return {
    customer_name: name,
    customer_type: isPerson ? 'Individual' : 'Company',
    customer_group: isPerson ? 'Individual' : pick(GROUPS, 4),
    territory: pick(TERRITORIES, 5),
    email_id: `${ascii(first)}@${host}`,
    phone: `+49 30 ${1_000_000 + (n % 8_999_999)}`,
    website: n % 3 === 0 ? `https://www.${host}/` : '',
    tax_id: isPerson ? '' : `DE${100_000_000 + n}`,
    default_currency: pick(CURRENCIES, 6),
    credit_limit: n % 5 === 0 ? String((n % 200) * 250) : '',
    customer_details: n % 10 === 0 ? `Met at the fair; asks for "${pick(TRADES, 7)}".` : '',
  }
}

function ascii(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}

/** Writes a CSV file of so many customers. */
export function writeCustomers(file: string, count: number): void {
  const out = openSync(file, 'w')
  writeSync(out, `${CUSTOMER_COLUMNS.join(',')}\n`)
  let lines: string[] = []
  for (let n = 1; n <= count; n += 1) {
    const customer = sampleCustomer(n)
    lines.push(CUSTOMER_COLUMNS.map((column) => cell(customer[column])).join(','))
    if (lines.length < 1000 && n < count) continue
    writeSync(out, `${lines.join('\n')}\n`)
    lines = []
  }
  closeSync(out)
}

function cell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
