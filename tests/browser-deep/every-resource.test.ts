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

/** The rules of axe that judge colours. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** Goes back from dark to light. */
async function lighten({ page }: DeskPage): Promise<void> {
  if (await page.locator('html[data-mantine-color-scheme=dark]').count())
    await page.getByRole('button', { name: 'Light or dark' }).click()
}

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

test('no list, form or record breaks a rule or complains, in light and in dark', async () => {
  const desk = await site.open('/', { colorScheme: 'light', reducedMotion: 'reduce' })
  const found: string[] = []
  const note = (...lines: readonly string[]): void => {
    found.push(...lines)
    // A walk of many minutes tells at once what it finds.
    for (const line of lines) console.error(line)
  }
  for (const { slug } of resources)
    for (const [path, shown] of await pagesOf(slug)) {
      await goTo(desk, path)
      try {
        await desk.page.locator(shown).first().waitFor()
        desk.quiet(path)
        note(...(await violations(desk.page)).map((one) => `${path} ${one}`))
        // In the dark the same elements stand there: only their colours are others.
        await desk.page.getByRole('button', { name: 'Light or dark' }).click()
        note(...(await violations(desk.page, COLOURS)).map((one) => `${path} dark ${one}`))
      } catch (error) {
        // All that is wrong is told, not only what comes first.
        note(`${path} ${(error as Error).message}`)
        desk.page.setDefaultTimeout(AFTER_FAILURE_MS)
      } finally {
        await lighten(desk)
      }
    }
  assert.equal(found, [])
  await desk.close()
})

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
