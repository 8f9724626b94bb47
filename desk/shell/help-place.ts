/** What a page of the Desk is about, as its help needs it. */
export interface HelpPlace {
  /** Section of the manual's page about the Desk. */
  readonly anchor: string
  /** Resource whose list or record it is. */
  readonly slug?: string
  readonly report?: string
}

/** Section of the manual by the first part of an address; every other part is a resource. */
const SECTIONS: Readonly<Record<string, string>> = {
  '': 'together',
  all: 'finding',
  bank: 'the-bank',
  developer: 'programs-and-people',
  inbox: 'together',
  r: 'reports',
  settings: 'programs-and-people',
  studio: 'studio',
  w: 'together',
}

/** What the page at an address is about: `/sales-invoices/SINV-1` is a record of the sales invoices. */
export function helpPlace(path: string): HelpPlace {
  const [, first = '', second] = path.split('/')
  const anchor = SECTIONS[first]
  if (second === 'studio') return { anchor: 'studio', slug: first }
  if (anchor === undefined)
    return { anchor: second === undefined ? 'finding' : 'records', slug: first }
  return first === 'r' && second !== undefined ? { anchor, report: second } : { anchor }
}
