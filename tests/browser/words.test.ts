import { readdirSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DE } from '../../desk/words/de.ts'
import { WORDS } from '../../desk/words/en.ts'
import { ES } from '../../desk/words/es.ts'
import { FR } from '../../desk/words/fr.ts'
import { PAGES_DE } from '../../desk/words/pages/de.ts'
import { PAGES } from '../../desk/words/pages/en.ts'
import { PAGES_ES } from '../../desk/words/pages/es.ts'
import { PAGES_FR } from '../../desk/words/pages/fr.ts'
import { LANGUAGES, languageOf, localeOf } from '../../desk/words/speak.ts'
import { WORK_DE } from '../../desk/words/work/de.ts'
import { WORK } from '../../desk/words/work/en.ts'
import { WORK_ES } from '../../desk/words/work/es.ts'
import { WORK_FR } from '../../desk/words/work/fr.ts'
import { type DeskSite, openDeskSite } from './desk-site.ts'

const test = suite('the words of the Desk')

/** Every word of English as its name and what kind it is; keys are told by what they do. */
function shapeOf(words: object): readonly string[] {
  return Object.entries(words).flatMap(([name, word]): string[] => {
    if (name === 'keyGroups' || name === 'keyTexts') return []
    if (typeof word === 'function') return [`${name}(${word.length})`]
    if (Array.isArray(word)) return [`${name}[${word.length}]`]
    if (typeof word === 'object') return Object.keys(word).map((one) => `${name}.${one}`)
    return [name]
  })
}

const KEY_TEXTS = WORDS.keyGroups.flatMap(({ title, keys }) => [
  title,
  ...keys.map(([, does]) => does),
])

for (const [name, words] of Object.entries({ de: DE, es: ES, fr: FR }))
  test(`each stands in ${name} too, and says something`, () => {
    const known = new Set(shapeOf(words))
    assert.equal(
      shapeOf(WORDS).filter((one) => !known.has(one)),
      [],
    )
    const texts = words.keyTexts as Readonly<Record<string, string>>
    assert.equal(
      KEY_TEXTS.filter((text) => !texts[text]),
      [],
    )
    assert.not.ok(JSON.stringify(words).includes('""'))
  })

for (const [name, words] of Object.entries({ de: PAGES_DE, es: PAGES_ES, fr: PAGES_FR }))
  test(`each word of the pages stands in ${name} too`, () => {
    assert.equal([...shapeOf(words)].sort(), [...shapeOf(PAGES)].sort())
    assert.not.ok(JSON.stringify(words).includes('""'))
  })

for (const [name, words] of Object.entries({ de: WORK_DE, es: WORK_ES, fr: WORK_FR }))
  test(`each word of the work at hand stands in ${name} too`, () => {
    assert.equal([...shapeOf(words)].sort(), [...shapeOf(WORK)].sort())
    assert.not.ok(JSON.stringify(words).includes('""'))
  })

test('the languages are those that labels of the workspace have', () => {
  const labelled = readdirSync(new URL('../../labels', import.meta.url)).map((name) =>
    name.slice(0, 2),
  )
  assert.equal(Object.keys(LANGUAGES).sort(), ['en', ...labelled].sort())
})

test('a person has their language, then the browser has its own, then it is English', () => {
  assert.is(languageOf([null, 'pt-BR', 'fr-CH', 'en']), 'fr')
  assert.is(languageOf(['DE', 'fr']), 'de')
  assert.is(languageOf([undefined, 'pt']), 'en')
  assert.is(localeOf('de', ['en', 'de-AT']), 'de-AT')
  assert.is(localeOf('es', ['en']), 'es')
})

let site: DeskSite
test.before(async () => {
  site = await openDeskSite()
  await site.api('POST', '/v1/customers', { customer_name: 'Anna Berger' })
})
test.after(() => site.close())

test('a list speaks the language of the browser, and the person chooses another', async () => {
  const { page, quiet, close } = await site.open('/customers', { locale: 'de-AT' })
  await page.getByRole('heading', { level: 1, name: 'Kunden' }).waitFor()
  await page.getByRole('link', { name: 'Neu: Kunde' }).waitFor()
  assert.is(await page.locator('html').getAttribute('lang'), 'de')
  await page.getByRole('button', { name: /^Ihr Konto/ }).click()
  await page.getByRole('menuitem', { name: 'Sprache' }).click()
  await page
    .getByRole('dialog', { name: 'Sprache' })
    .getByRole('button', { name: 'Français' })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor()
  assert.is(await page.locator('html').getAttribute('lang'), 'fr')
  await page.reload()
  await page.getByRole('searchbox', { name: /^Rechercher/ }).waitFor()
  quiet('languages')
  await close()
})

test('nothing is cut off or stands outside where writing goes from right to left', async () => {
  const { page, close } = await site.open('/customers')
  await page.getByRole('link', { name: 'Anna Berger' }).waitFor()
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  const places = await page.evaluate(() => {
    const { left: menu } = document.querySelector('.side')!.getBoundingClientRect()
    const { left: main } = document.querySelector('main')!.getBoundingClientRect()
    return { isMirrored: menu > main, isWide: document.documentElement.scrollWidth > innerWidth }
  })
  assert.equal(places, { isMirrored: true, isWide: false })
  await close()
})

test.run()
