import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskPage, type DeskSite, openDeskSite, violations } from '../browser/desk-site.ts'

const test = suite('the Desk, looked at by axe for every resource')

let site: DeskSite
let resources: readonly { slug: string; read_only?: true }[]

test.before(async () => {
  site = await openDeskSite({ demo: true })
  const { data } = await site.api<{
    data: { slug: string; alias_of?: string; read_only?: true }[]
  }>('GET', '/v1/resources?brief=1')
  resources = data.filter((one) => one.alias_of === undefined)
})
test.after(() => site.close())

/** Longest wait for a page once one has not come at all, in ms. */
const AFTER_FAILURE_MS = 15_000

/** Goes to an address as a link within the Desk does. */
async function goTo({ page }: DeskPage, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(undefined, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/** The pages of a resource: its list, a new record, and one that is there. */
async function pagesOf(slug: string): Promise<readonly (readonly [string, string])[]> {
  const { data } = await site.api<{ data: { id: string }[] }>(
    'GET',
    `/v1/${slug}?fields=id&limit=1`,
  )
  const first = data[0]?.id
  return [
    [`/${slug}`, `[data-list="${slug}"] :is(table.list, .cards, .empty h2)`],
    [`/${slug}/new`, `[data-form="${slug}"] .section, .empty h1:has-text("not made by hand")`],
    ...(first === undefined
      ? []
      : [[`/${slug}/${encodeURIComponent(first)}`, `[data-form="${slug}"] .section`] as const]),
  ]
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no list, form or record breaks a rule or complains, ${colorScheme}`, async () => {
    const desk = await site.open('/', { colorScheme, reducedMotion: 'reduce' })
    const found: string[] = []
    for (const { slug } of resources)
      for (const [path, shown] of await pagesOf(slug)) {
        await goTo(desk, path)
        try {
          await desk.page.locator(shown).first().waitFor()
          desk.quiet(path)
          found.push(...(await violations(desk.page)).map((one) => `${path} ${one}`))
        } catch (error) {
          // All that is wrong is told, not only what comes first.
          found.push(`${path} ${(error as Error).message}`)
          desk.page.setDefaultTimeout(AFTER_FAILURE_MS)
        }
      }
    assert.equal(found, [])
    await desk.close()
  })
}

test('nothing stands beyond the edge at 400 % of a window of 1280 pixels', async () => {
  const desk = await site.open('/', { viewport: { width: 320, height: 256 } })
  const wide: string[] = []
  for (const { slug } of resources)
    for (const [path, shown] of await pagesOf(slug)) {
      await goTo(desk, path)
      await desk.page.locator(shown).first().waitFor({ state: 'attached' })
      const isWide = await desk.page.evaluate(
        () => document.documentElement.scrollWidth > innerWidth,
      )
      if (isWide) wide.push(path)
    }
  assert.equal(wide, [])
  await desk.close()
})

test.run()
