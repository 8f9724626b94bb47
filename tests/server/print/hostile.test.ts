import * as assert from 'uvu/assert'
import { onDatabase } from '../../helpers/databases.ts'
import { randomOf, seedsOf } from '../../helpers/random.ts'
import { openPaperShop, type PaperShop } from './paper-shop.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3, 4, 5])

const PARTS = [
  '<',
  '>',
  '"',
  "'",
  '&',
  '</td>',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '&lt;',
  '{city}',
  '--><!--',
  ']]>',
  '\u2028',
  '\u202e',
  '=',
  '/',
  '`',
  '$' + '{x}',
  '$&',
  '$1',
  'é',
  '😀',
  'javascript:',
  '<!doctype',
]

/** What there is beside the texts: names and attributes of elements. */
const bonesOf = (page: string): readonly string[] => page.match(/<[^<>]*>/g) ?? []

function readable(page: string): string {
  const marks: Readonly<Record<string, string>> = {
    lt: '<',
    gt: '>',
    quot: '"',
    '#39': "'",
    amp: '&',
  }
  return page
    .replace(/<[^<>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => marks[name] ?? '')
}

onDatabase('sqlite', 'papers with hostile texts', ({ test, create }) => {
  let shop: PaperShop
  test.before(async () => {
    shop = await openPaperShop(await create())
  })
  test.after(() => shop.api.close())

  async function pageWith(text: () => string): Promise<{ page: string; texts: readonly string[] }> {
    const [name, line, description, terms] = [text(), text(), text(), text()] as const
    const customer = await shop.make('customers', {
      customer_name: name,
      tax_id: text().slice(0, 40),
    })
    await shop.make('addresses', {
      address_line1: line,
      city: 'x',
      country: 'France',
      links: [{ link_doctype: 'Customer', link_name: customer }],
    })
    const id = await shop.make('quotations', {
      customer,
      items: [{ item_code: 'LAMP', qty: 1, rate: 1, description }],
      taxes: [{ account_head: 'Output Tax', description: text(), rate: 1 }],
      terms,
    })
    const { status, text: page } = await shop.page(`/print/quotations/${id}?lang=en`)
    assert.is(status, 200)
    return { page, texts: [name, line, description, terms] }
  }

  test('have the elements of any other paper, and the texts as they are', async () => {
    const usual = bonesOf((await pageWith(() => 'x')).page)
    for (const seed of SEEDS) {
      const random = randomOf(seed)
      const { page, texts } = await pageWith(
        () =>
          // Ends in letters: what is put down in the database has no blanks around it.
          `a${Array.from({ length: 5 }, () => random.one(PARTS)).join('')}z`,
      )
      assert.equal(bonesOf(page), usual, `seed ${seed}`)
      for (const text of texts)
        assert.ok(
          readable(page).includes(text.replace(/\u2028+/g, ' ')) || readable(page).includes(text),
          `seed ${seed}: ${text}`,
        )
    }
  })
})
