import type { Client } from '../data/client.ts'
import type { ListAnswer, Preview, RecordData, Row } from '../data/types.ts'
import type { PagePart, WorkPage } from '../home/workspace-types.ts'
import { fieldOf, listPath } from '../work/use-work-page.ts'
import { rounded } from './amounts.ts'
import { saleBody } from './sale-body.ts'
import type { OpenTill, TillItem, Way } from './till-types.ts'

/** Records asked for at once, and in all: a till with more items finds the others on the server. */
const AT_ONCE = 100
const MOST_ITEMS = 500

/** Previews of prices under way at the same time. */
const PRICES_AT_ONCE = 3

/** The tills that there are. */
export async function loadTills(client: Client, tills: PagePart): Promise<readonly RecordData[]> {
  const { body } = await client.ask<ListAnswer>(listPath(tills, { limit: '100', _titles: '1' }))
  return Promise.all(
    body.data.map(async ({ id }) => {
      const path = `/v1/${tills.resource}/${encodeURIComponent(id)}?_titles=1`
      return (await client.ask<RecordData>(path)).body
    }),
  )
}

/** Ways to pay at a till, and which of them give change. */
export async function loadWays(
  client: Client,
  { tills, cash }: Record<string, PagePart>,
  till: RecordData,
): Promise<readonly Way[]> {
  const { body } = await client.ask<ListAnswer>(listPath(cash!, { limit: '100', fields: 'id' }))
  const inCash = new Set(body.data.map(({ id }) => id))
  const rows = (till[fieldOf(tills!, 'ways')] ?? []) as readonly Row[]
  return rows.map((row) => {
    const id = String(row[fieldOf(tills!, 'ways.way')])
    return { id, isCash: inCash.has(id), isUsual: row[fieldOf(tills!, 'ways.usual')] === true }
  })
}

/** The opening of a till; undefined while it is closed. */
export async function loadOpening(
  client: Client,
  openings: PagePart,
  till: string,
): Promise<RecordData | undefined> {
  const path = listPath(openings, { [fieldOf(openings, 'till')]: till, limit: '1' })
  return (await client.ask<ListAnswer>(path)).body.data[0]
}

/** What is sold at a till, without prices. */
export async function loadItems(
  client: Client,
  part: PagePart,
  titleField: string,
  most = MOST_ITEMS,
): Promise<readonly TillItem[]> {
  const field = (role: string): string => fieldOf(part, role)
  const fields = ['id', titleField, field('group'), field('codes')]
  const rows: RecordData[] = []
  for (let total = 1; rows.length < Math.min(total, most); ) {
    const path = listPath(part, {
      ...{ limit: String(AT_ONCE), offset: String(rows.length), sort: `${titleField},id` },
      ...{ fields: [...new Set(fields)].join(','), _titles: '1' },
    })
    const { body } = await client.ask<ListAnswer>(path)
    if (body.data.length === 0) break
    rows.push(...body.data)
    total = body.meta.total
  }
  return rows.map((row) => {
    const codes = (row[field('codes')] ?? []) as readonly Row[]
    return {
      id: row.id,
      title: String(row[titleField] ?? row.id),
      group: String(row._titles?.[field('group')] ?? row[field('group')] ?? ''),
      codes: codes.map((code) => String(code[field('codes.code')])),
    }
  })
}

/** Asks what one of each item costs at the till, as a sale of it would; `tell` hears of each answer. Ends at the first that nobody answers. */
export async function priceItems(
  client: Client,
  { sales }: WorkPage['parts'],
  till: OpenTill,
  items: readonly TillItem[],
  { tell, signal }: { tell: (item: TillItem) => void; signal: AbortSignal },
): Promise<void> {
  const left = [...items]
  async function work(): Promise<void> {
    for (let item = left.shift(); item && !signal.aborted; item = left.shift()) {
      const body = saleBody(sales!, { till, lines: [{ item, qty: 1 }], taken: [] })
      const path = `/v1/${sales!.resource}?_preview=1`
      const asked = await client.ask<Preview>(path, { method: 'POST', body, signal })
      const { record, problems } = asked.body
      const [row] = (record?.[fieldOf(sales!, 'rows')] ?? []) as readonly Row[]
      if (problems.length > 0 || !row) continue
      tell({
        ...item,
        price: rounded(Number(record[fieldOf(sales!, 'total')])),
        rate: Number(row[fieldOf(sales!, 'rows.rate')]),
      })
    }
  }
  await Promise.all(Array.from({ length: PRICES_AT_ONCE }, work))
}
