import type { Boot } from '../data/types.ts'
import type { CartLine, OpenTill, QueuedSale, TillItem } from './till-types.ts'

/** Names of what the till keeps in the browser. */
const KIT = 'desk-till'
const CART = 'desk-till-cart'
const CHOSEN = 'desk-till-chosen'
const SALE = 'desk-till-sale/'

/** What the till needs to sell without the network: nothing about people but who stands at it. */
export interface TillKit {
  readonly at: string
  readonly boot: Boot
  readonly till: OpenTill
  readonly items: readonly TillItem[]
}

/** The kit of the till that was open in this browser last; undefined for none. */
export function readKit(): TillKit | undefined {
  return read<TillKit>(KIT)
}

/** Keeps the kit; a browser without room for it sells with the network alone. */
export function keepKit(kit: TillKit): boolean {
  return write(KIT, kit)
}

/** The cart that was begun at a till, through a reload. */
export function keptCart(till: string): readonly CartLine[] {
  const kept = read<{ till: string; lines: readonly CartLine[] }>(CART)
  return kept?.till === till ? kept.lines : []
}

export function keepCart(till: string, lines: readonly CartLine[]): void {
  write(CART, { till, lines })
}

/** The till that was chosen in this browser. */
export function chosenTill(): string {
  return localStorage.getItem(CHOSEN) ?? ''
}

export function chooseTill(id: string): void {
  write(CHOSEN, undefined, id)
}

/** Sales that are not booked yet, in the order they were made. */
export function keptSales(): readonly QueuedSale[] {
  return Object.keys(localStorage)
    .filter((name) => name.startsWith(SALE))
    .sort()
    .flatMap((name) => read<QueuedSale>(name) ?? [])
}

/** Keeps a sale before anything else is done with it; each has a place of its own, so that no page overwrites another's. False where there is no room. */
export function keepSale(sale: QueuedSale): boolean {
  return write(nameOf(sale), sale)
}

/** Takes a sale away that is booked, or that somebody gave up. */
export function dropSale(sale: QueuedSale): void {
  localStorage.removeItem(nameOf(sale))
}

function nameOf({ at, key }: QueuedSale): string {
  return `${SALE}${at}/${key}`
}

function read<T>(name: string): T | undefined {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') ?? undefined
  } catch (_notOurs) {
    return undefined
  }
}

function write(name: string, value: unknown, text = JSON.stringify(value)): boolean {
  try {
    localStorage.setItem(name, text)
    return true
  } catch (_noRoom) {
    return false
  }
}
