import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'

const test = suite('the Desk for everybody')

/** Lists and forms that show every kind of field, of layout and of row between them. */
const SAMPLE = ['/items/new', '/employees/new', '/journal-entries/new', '/tasks', '/accounts']

let site: DeskSite

test.before(async () => {
  site = await openDeskSite()
})
test.after(() => site.close())

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on a sample of lists and forms, ${colorScheme}`, async () => {
    const { page, close } = await site.open('/', { colorScheme, reducedMotion: 'reduce' })
    for (const path of SAMPLE) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
      assert.equal(await violations(page), [], path)
    }
    await close()
  })
}

test('nothing moves for who asked for that', async () => {
  const { page, close } = await site.open('/accounts?layout=tree', { reducedMotion: 'reduce' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const moving = await page.evaluate(() =>
    [...document.styleSheets]
      .flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof CSSStyleRule)
      .filter(({ selectorText, style }) => {
        const moves = style.animationName && style.animationName !== 'none'
        return moves && document.querySelector(selectorText) !== null
      })
      .map(({ selectorText }) => selectorText),
  )
  assert.equal(moving, [])
  assert.is(await page.evaluate(() => document.getAnimations().length), 0)
  await close()
})

test('at 400 % all of a page is in its one column', async () => {
  const { page, close } = await site.open('/', { viewport: { width: 320, height: 256 } })
  for (const path of ['/customers', '/sales-invoices/new', '/leads?layout=board', ...SAMPLE]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path)
  }
  await close()
})

test.run()
