import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'

const FOLDER = join(import.meta.dirname, '../doctypes/setup/taxes')
/** Where one rate is not chosen by the item: states and provinces, border zones, and countries that svc does not know. */
const BY_PLACE = ['canada', 'india', 'mexico', 'united-states', 'general']

interface Row {
  readonly account_head: string
  readonly rate: number
}
interface Template {
  readonly title: string
  readonly is_default?: boolean
  readonly taxes: readonly Row[]
}
interface ItemTemplate {
  readonly title: string
  readonly taxes: readonly { readonly tax_type: string; readonly tax_rate: number }[]
}

const sets = globSync('*.yaml', { cwd: FOLDER }).map((file) => ({
  country: basename(file, '.yaml'),
  records: parse(readFileSync(join(FOLDER, file), 'utf8')).records,
}))

/** What an item of a rate is taxed by the rows of a template, once its own rates hold: account → rate. */
function taxedBy(template: Template, item: ItemTemplate | undefined): Record<string, number> {
  const own = new Map(item?.taxes.map(({ tax_type, tax_rate }) => [tax_type, tax_rate]))
  return Object.fromEntries(
    template.taxes
      .map(({ account_head, rate }) => [account_head, own.get(account_head) ?? rate] as const)
      .filter(([, rate]) => rate > 0),
  )
}

test('each country has one default template a side', () => {
  assert.ok(sets.length > 40)
  for (const { country, records } of sets)
    for (const side of ['Sales', 'Purchase']) {
      const templates: readonly Template[] = records[`${side} Taxes and Charges Template`] ?? []
      const defaults = templates.filter(({ is_default }) => is_default)
      const wanted = templates.length === 0 || country === 'general' ? 0 : 1
      assert.is(defaults.length, wanted, `${country}, ${side}`)
    }
})

test('where items have several rates, the default template taxes each of them by its own, on both sides', () => {
  let tried = 0
  for (const { country, records } of sets) {
    const items: readonly ItemTemplate[] = records['Item Tax Template'] ?? []
    for (const side of ['Sales', 'Purchase']) {
      const templates: readonly Template[] = records[`${side} Taxes and Charges Template`] ?? []
      const whole = templates.find(({ is_default }) => is_default)
      const single = templates.filter(({ taxes }) => taxes.length === 1 && taxes[0]!.rate > 0)
      if (!whole || single.length < 2 || BY_PLACE.includes(country)) continue
      const [usual, ...reduced] = single.map(({ taxes }) => taxes[0]!)
      assert.equal(taxedBy(whole, undefined), { [usual!.account_head]: usual!.rate }, country)
      for (const { account_head, rate } of reduced) {
        const item = items.find(({ title }) => title.endsWith(` ${rate} %`))
        assert.equal(
          taxedBy(whole, item),
          { [account_head]: rate },
          `${country}, ${side}, ${rate} %`,
        )
        tried += 1
      }
      const free = items.find(({ title }) => title === 'Item Tax Free')
      assert.equal(free && taxedBy(whole, free), {}, `${country}, ${side}`)
    }
  }
  assert.ok(tried > 100, String(tried))
})

test.run()
