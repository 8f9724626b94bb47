/** An item as the till knows it: enough to find it and to tell its price without the network. */
export interface TillItem {
  readonly id: string
  readonly title: string
  readonly group: string
  readonly codes: readonly string[]
  /** What one of it costs whom pays at the till, taxes and all, as the server previewed it; undefined where it never did. */
  readonly price?: number
  /** Its price as a row has it. */
  readonly rate?: number
}

/** A till that is open. */
export interface OpenTill {
  readonly id: string
  readonly opening: string
  readonly company: string
  readonly warehouse: string
  readonly customer: string
  readonly ways: readonly Way[]
}

/** A way to pay; only cash gives change. */
export interface Way {
  readonly id: string
  readonly isCash: boolean
  readonly isUsual: boolean
}

/** A line of the cart. */
export interface CartLine {
  readonly item: TillItem
  readonly qty: number
}

/** Money that was taken, and how. */
export interface Taken {
  readonly way: string
  readonly amount: number
  readonly isCash: boolean
}

/** What stands on the slip of a sale. */
export interface SaleLine {
  readonly title: string
  readonly qty: number
  readonly amount: number
}

/** A sale in the browser until it is booked: it survives a reload, and is sent under one key however often. */
export interface QueuedSale {
  readonly key: string
  /** Moment of the sale, ISO. */
  readonly at: string
  /** Who sold; another person's keys would book it twice. */
  readonly person: string
  readonly till: string
  readonly lines: readonly SaleLine[]
  readonly taken: readonly Taken[]
  /** What the customer was told. */
  readonly total: number
  readonly change: number
  readonly body: Readonly<Record<string, unknown>>
  /** `waiting` for the network; `differs` where the server comes to another total; `refused` with its reason. */
  readonly state: 'waiting' | 'differs' | 'refused'
  readonly message?: string
  /** Total of the server where it differs. */
  readonly serverTotal?: number
  /** When it was sent first without an answer. */
  readonly triedAt?: string
  /** Draft on the server that is not submitted yet. */
  readonly id?: string
}
