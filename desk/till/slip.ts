import type { Formats } from '../data/format.ts'
import { formatMoment } from '../data/format.ts'
import { WORK } from '../words/work/en.ts'
import { money } from './money.ts'
import type { QueuedSale } from './till-types.ts'

/** The paper of a booked sale on a roll, as the server draws it. Throws where it cannot be had. */
export async function bookedSlip(resource: string, id: string): Promise<string> {
  const address = `/print/${resource}/${encodeURIComponent(id)}?paper=receipt`
  const response = await fetch(address, { headers: { Accept: 'text/html' } })
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`)
  return response.text()
}

/** The slip of a sale that is not booked yet, and says so. */
export function keptSlip(sale: QueuedSale, seller: string, formats: Formats): string {
  const page = document.implementation.createHTMLDocument(sale.key)
  const add = (tag: string, text: string, parent: Node = page.body): HTMLElement => {
    const element = page.createElement(tag)
    element.textContent = text
    parent.appendChild(element)
    return element
  }
  page.documentElement.lang = document.documentElement.lang
  add('style', SLIP, page.head)
  add('h1', seller)
  add('p', formatMoment(sale.at, formats))
  add('p', WORK.notBookedSlip).className = 'mark'
  const table = add('table', '')
  const row = (text: string, amount: number, kind = ''): void => {
    const line = add('tr', '', table)
    line.className = kind
    add('td', text, line)
    add('td', money(amount, formats), line)
  }
  for (const { title, qty, amount } of sale.lines) row(`${qty} × ${title}`, amount)
  row(WORK.total, sale.total, 'total')
  for (const { way, amount } of sale.taken) row(way, amount)
  row(WORK.change, sale.change)
  return `<!doctype html>${page.documentElement.outerHTML}`
}

const SLIP = `@page { size: 80mm 200mm; margin: 3mm; }
body { width: 72mm; margin: 0; font: 9pt/1.4 "Liberation Sans", Arial, sans-serif; }
h1 { font-size: 12pt; margin: 0 0 1mm; } p { margin: 0 0 2mm; } .mark { font-weight: 700; }
table { width: 100%; border-collapse: collapse; } td { padding: .6mm 0; vertical-align: top; }
td + td { text-align: right; white-space: nowrap; } .total td { border-top: 1px solid; font-weight: 700; }`

/** Prints a page in a frame of its own, which stays until the next one. */
export async function printSlip(html: string): Promise<void> {
  document.querySelector('iframe.slip')?.remove()
  const frame = document.createElement('iframe')
  frame.className = 'slip'
  frame.title = WORK.receipt
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  const url = URL.createObjectURL(new Blob([html], { type: 'text/html' }))
  const loaded = new Promise((done) => frame.addEventListener('load', done, { once: true }))
  frame.src = url
  document.body.append(frame)
  await loaded
  URL.revokeObjectURL(url)
  frame.contentWindow?.print()
}
