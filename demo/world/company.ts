import { join } from 'node:path'
import { SHIPPED_DOCTYPES } from '../../cli/package.ts'
import { yamlLibrary } from '../../engine/base/lazy-libraries.ts'
import { fileSystem } from '../../engine/base/packaged-files.ts'

/** Someone of the company who acts: owner of what they write, and a user of the demo. */
export interface DemoAccount {
  readonly email: string
  readonly full_name: string
  readonly roles: readonly string[]
}

interface Place {
  readonly city: string
  readonly country: string
  /** ISO 4217; without it the company's own. */
  readonly currency?: string
}

interface Established extends Place {
  readonly name: string
  readonly street: string
  readonly pincode: string
  /** First and last name. */
  readonly contact: readonly [string, string]
}

export interface DemoCustomer extends Established {
  readonly kind: string
  /** Frequency of their orders, against the others. */
  readonly buys: number
  /** Days after the due date that they pay; below 0 before it. */
  readonly late: number
}

export interface DemoSupplier extends Established {
  readonly group: string
  readonly lead_days: number
}

export interface DemoLead extends Place {
  readonly person: string
  readonly company?: string
  readonly industry?: string
  readonly kind: string
}

/** Habits of a kind of customer. */
export interface BuyerKind {
  readonly group: string
  readonly type: string
  /** Different bicycles of an order at most, and pieces of each. */
  readonly models: number
  readonly from: number
  readonly to: number
  /** Percent. */
  readonly discount: number
  /** Probability that accessories come with it. */
  readonly accessories: number
}

interface Product {
  readonly code: string
  readonly name: string
}

export interface Bicycle extends Product {
  readonly group: string
  readonly price: number
  /** Share of its sales, against the others. */
  readonly share: number
  /** Part → pieces in one bicycle. */
  readonly parts: Readonly<Record<string, number>>
}

/** Item that is bought and kept in stock. */
export interface Bought extends Product {
  readonly cost: number
  readonly supplier: string
  /** Pieces of an order. */
  readonly lot: number
}

export interface RunningCost extends Product {
  readonly account: string
  readonly amount: number
  /** Amount that a bill may be more or less. */
  readonly varies?: number
  readonly supplier: string
  /** Months between two bills, and the day of the month they come. */
  readonly every: number
  readonly day: number
}

export interface DemoEmployee {
  readonly first: string
  readonly last: string
  readonly gender: string
  readonly born: string
  /** A date, or days from the first day of the story. */
  readonly joined?: string
  readonly joins?: number
  readonly leaves?: number
  readonly department: string
  readonly designation: string
  readonly account?: string
}

export interface DemoAsset {
  readonly name: string
  readonly category: string
  readonly location: string
  readonly amount: number
  readonly months: number
  /** Days it is older than the story, or the day of the story it is bought on. */
  readonly age?: number
  readonly bought?: number
  /** Day of the story it is scrapped on. */
  readonly scrapped?: number
}

export interface DemoProject {
  readonly name: string
  readonly customer?: string
  readonly day: number
  readonly priority: string
  /** Price of an hour; 0 for work of one's own. */
  readonly rate: number
  /** `late` is how many days longer than planned a task takes. */
  readonly tasks: readonly {
    readonly subject: string
    readonly days: number
    readonly late?: number
  }[]
  /** Purchases for it, so many days after it begins. */
  readonly costs?: readonly {
    readonly after: number
    readonly supplier: string
    readonly amount: number
    readonly remark: string
  }[]
}

/** A job that is offered so many days before the end of the story. */
export interface DemoOpening {
  readonly title: string
  readonly designation: string
  readonly department: string
  readonly before: number
  readonly applicants: readonly string[]
}

export interface DemoIssue {
  readonly subject: string
  readonly type: string
  readonly priority: string
  readonly solution: string
}

/** Work on a part that a supplier does, and what becomes of the part. */
interface Outwork {
  readonly supplier: string
  readonly work: Product & { readonly price: number }
  readonly part: string
  readonly made: Product
}

interface Quality {
  readonly procedure: { readonly name: string; readonly steps: readonly string[] }
  readonly goal: string
  readonly objectives: readonly { readonly objective: string; readonly target: string }[]
}

type Row = Readonly<Record<string, unknown>>

/** Content of `demo-company.yaml`: everybody and everything the story is about. */
export interface DemoCompany {
  readonly company: Row & {
    readonly company_name: string
    readonly default_currency: string
    readonly country: string
  }
  readonly accounts: Readonly<Record<string, DemoAccount>>
  readonly masters: Readonly<Record<string, readonly Row[]>>
  readonly bicycles: readonly Bicycle[]
  readonly parts: readonly (Bought & { readonly group: string })[]
  readonly accessories: readonly (Bought & { readonly price: number; readonly barcode: string })[]
  readonly services: readonly (Product & { readonly price: number })[]
  readonly running_costs: readonly RunningCost[]
  readonly suppliers: Readonly<Record<string, DemoSupplier>>
  readonly customers: readonly DemoCustomer[]
  readonly kinds: Readonly<Record<string, BuyerKind>>
  readonly outwork: Outwork
  readonly quality: Quality
  /** Orders of each month of the calendar. */
  readonly season: readonly number[]
  readonly leads: readonly DemoLead[]
  readonly lead_sources: readonly string[]
  readonly lost_reasons: readonly {
    readonly reason: string
    /** Reason in a word of the list of reasons. */
    readonly kind: string
    readonly competitors?: string
  }[]
  readonly carriers: readonly string[]
  readonly expenses: readonly {
    readonly kind: string
    readonly remark: string
    readonly amount: number
  }[]
  readonly employees: readonly DemoEmployee[]
  /** Account → what may be spent on it in a year. */
  readonly budget: Readonly<Record<string, number>>
  /** Salaries of a month. */
  readonly payroll: number
  readonly assets: readonly DemoAsset[]
  readonly openings: readonly DemoOpening[]
  readonly projects: readonly DemoProject[]
  readonly issues: readonly DemoIssue[]
  readonly exchange_rates: Readonly<Record<string, number>>
}

/** The company that ships with the program; the tests play it, so the file is what the type says. */
export function readDemoCompany(): DemoCompany {
  const text = fileSystem.bytes(join(SHIPPED_DOCTYPES, 'demo-company.yaml')).toString()
  return yamlLibrary().parse(text) as DemoCompany
}
