import { addDays } from '../../engine/expression/run/calendar.ts'
import type { DemoCustomer, DemoSupplier } from './company.ts'
import type { Hands, Shown } from './hands.ts'
import type { Buyer, World } from './world.ts'

/** The record of an employee who joins on a day, or joined before the story. */
export function employeeRecord(
  { company, name, first }: World,
  employee: World['company']['employees'][number],
): object {
  const { account } = employee
  const person = `${employee.first}.${employee.last}`.toLowerCase()
  return {
    first_name: employee.first,
    last_name: employee.last,
    gender: employee.gender,
    date_of_birth: employee.born,
    company: name,
    department: employee.department,
    designation: employee.designation,
    employment_type: employee.designation === 'Apprentice' ? 'Apprentice' : 'Full-time',
    date_of_joining: employee.joined ?? addDays(first, employee.joins ?? 0),
    company_email: `${person}@bergwind.example`,
    leave_approver: company.accounts.hr?.email,
    expense_approver: company.accounts.accounts?.email,
    ...(account === undefined ? {} : { user_id: company.accounts[account]?.email }),
  }
}

/** A supplier with contact and address. */
export async function createSupplier(hands: Hands, supplier: DemoSupplier): Promise<Shown> {
  const { name, group, country, currency } = supplier
  const record = await hands.create('stock', 'Supplier', {
    supplier_name: name,
    supplier_group: group,
    country,
    email_id: mailOf('office', name),
    phone: phoneOf(name),
    ...(currency === undefined ? {} : { default_currency: currency }),
  })
  await createReach(hands, 'stock', 'Supplier', record.id, supplier)
  return record
}

/** A customer with contact and address, as the flows know them. */
export async function createCustomer(
  { company }: World,
  hands: Hands,
  customer: DemoCustomer,
): Promise<Buyer> {
  const { name, kind: kindName, country, currency, buys, late } = customer
  const kind = company.kinds[kindName]!
  const record = await hands.create('sales', 'Customer', {
    customer_name: name,
    customer_group: kind.group,
    customer_type: kind.type,
    territory: territoryOf(country),
    email_id: mailOf('hello', name),
    phone: phoneOf(name),
    account_manager: company.accounts.sales?.email,
    ...(currency === undefined ? {} : { default_currency: currency }),
    ...(kind.type === 'Company' ? { credit_limit: 250_000 } : {}),
  })
  const { contact, address } = await createReach(hands, 'sales', 'Customer', record.id, customer)
  return { id: record.id, name, country, currency, kind, kindName, buys, late, contact, address }
}

async function createReach(
  hands: Hands,
  by: string,
  doctype: string,
  id: string,
  party: DemoCustomer | DemoSupplier,
): Promise<{ readonly contact: string; readonly address: string }> {
  const { name, contact, street, city, pincode, country } = party
  const [firstName, lastName] = contact
  const links = [{ link_doctype: doctype, link_name: id }]
  const [person, address] = await Promise.all([
    hands.create(by, 'Contact', {
      first_name: firstName,
      last_name: lastName,
      company_name: name,
      email_id: mailOf(firstName, name),
      phone: phoneOf(`${firstName} ${lastName}`),
      is_primary_contact: true,
      links,
    }),
    hands.create(by, 'Address', {
      address_title: name,
      address_type: 'Billing',
      address_line1: street,
      city,
      pincode,
      country,
      is_primary_address: true,
      is_shipping_address: true,
      links,
    }),
  ])
  return { contact: person.id, address: address.id }
}

/** Territories are countries where there are many customers. */
export function territoryOf(country: string): string {
  if (['Austria', 'Germany', 'Switzerland', 'Italy'].includes(country)) return country
  return country === 'United States' ? 'Overseas' : 'Rest Of The World'
}

/** `Velo Bern AG` → `hello@velobernag.example`. */
export function mailOf(person: string, company: string): string {
  const plain = (text: string): string =>
    text
      .normalize('NFD')
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .toLowerCase()
  return `${plain(person)}@${plain(company)}.example`
}

/** A number of the range that is kept for stories, always the same for a name. */
export function phoneOf(name: string): string {
  const digits = [...name].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 100
  return `+43 512 55501${String(digits).padStart(2, '0')}`
}
