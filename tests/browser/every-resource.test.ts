import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskPage, type DeskSite, openDeskSite, violations } from './desk-site.ts'

const test = suite('the Desk, for every resource')

/** axe looks at one page in so many: all of them are made of the same parts. */
const LOOKED_AT = 16

let site: DeskSite
let desk: DeskPage
let slugs: readonly string[]

test.before(async () => {
  site = await openDeskSite()
  const { data } = await site.api<{
    data: { slug: string; alias_of?: string; read_only?: true }[]
  }>('GET', '/v1/resources?brief=1')
  slugs = data.filter((one) => one.alias_of === undefined).map(({ slug }) => slug)
  desk = await site.open('/')
})
test.after(() => site.close())

/** Goes to an address as a link within the Desk does. */
async function goTo(path: string): Promise<void> {
  await desk.page.evaluate((to) => {
    history.pushState(undefined, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

test('a list shows its rows, or says what it would hold, without a complaint', async () => {
  assert.ok(slugs.length > 130)
  for (const [at, slug] of slugs.entries()) {
    await goTo(`/${slug}`)
    await desk.page.locator(`[data-list="${slug}"] :is(table.list, .empty h2)`).waitFor()
    desk.quiet(slug)
    if (at % LOOKED_AT === 0) assert.equal(await violations(desk.page), [], slug)
  }
})

test('a new record has a form, or a page that says who writes it, without a complaint', async () => {
  for (const [at, slug] of slugs.entries()) {
    await goTo(`/${slug}/new`)
    await desk.page
      .locator(`[data-form="${slug}"] .section, .empty h1:has-text("not made by hand")`)
      .first()
      .waitFor()
    desk.quiet(slug)
    if (at % LOOKED_AT === 0) assert.equal(await violations(desk.page), [], slug)
  }
})

test.run()
