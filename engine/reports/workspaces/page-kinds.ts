/** What a part of a page needs: the fields that play a role in it, `rows.item` for a column of the table that plays `rows`. */
export interface PartKind {
  readonly roles: readonly string[]
  /** Whether the page makes records of it: it is for who may. */
  readonly makes?: boolean
  /** Whether the page is there without it. */
  readonly isOptional?: boolean
}

/**
 * Pages of work that the Desk draws, and what each is made of: its address → its parts and the roles of their fields. Which
 * resources and fields these are, the files of workspaces say, so that no page knows a DocType.
 */
export const PAGE_KINDS: Readonly<Record<string, Readonly<Record<string, PartKind>>>> = {
  /** A till: it is opened, sold at, and closed with what was counted. */
  pos: {
    tills: { roles: ['company', 'warehouse', 'customer', 'ways', 'ways.way', 'ways.usual'] },
    openings: { roles: ['till', 'counted', 'counted.way', 'counted.amount'], makes: true },
    closings: {
      makes: true,
      roles: [
        ...['opening', 'counted', 'counted.way', 'counted.expected', 'counted.amount'],
        ...['counted.difference', 'sold', 'difference'],
      ],
    },
    sales: {
      makes: true,
      roles: [
        ...['till', 'company', 'customer', 'warehouse', 'day', 'rows', 'rows.item', 'rows.qty'],
        ...['rows.rate', 'rows.amount', 'ways', 'ways.way', 'ways.amount', 'total', 'change'],
      ],
    },
    items: { roles: ['price', 'group', 'codes', 'codes.code'] },
    /** Ways to pay that give change: those of its filter. */
    cash: { roles: [] },
  },
  /** Stock by item and warehouse, and what moved it. */
  stock: {
    items: { roles: ['group', 'codes', 'codes.code'] },
    balances: { roles: ['item', 'warehouse', 'on_hand', 'reserved', 'ordered', 'forecast'] },
    movements: { roles: ['item', 'warehouse', 'day', 'qty', 'document'], isOptional: true },
  },
  /** Counting what lies in a warehouse. */
  count: {
    items: { roles: ['group', 'codes', 'codes.code'] },
    warehouses: { roles: [] },
    counts: {
      makes: true,
      roles: [...['warehouse', 'rows', 'rows.item', 'rows.qty', 'rows.before', 'rows.difference']],
    },
  },
  /** What is one's own, and what waits for one's word. */
  me: {
    person: { roles: ['user'] },
    leave: { roles: ['person', 'kind', 'from', 'to', 'state'], isOptional: true },
    payslips: { roles: ['person', 'from', 'to', 'amount'], isOptional: true },
    expenses: {
      makes: true,
      roles: [...['person', 'total', 'state', 'rows', 'rows.amount', 'rows.about', 'rows.receipt']],
      isOptional: true,
    },
    decide_leave: { roles: ['state', 'told', 'more'], isOptional: true },
    decide_expenses: { roles: ['state', 'told', 'more'], isOptional: true },
  },
}
