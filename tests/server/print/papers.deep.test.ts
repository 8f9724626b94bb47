import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { composePaper } from '../../../server/print/paper.ts'
import { pdfOfPaper } from '../../../server/print/pdf-of-paper.ts'
import { pdfOf } from '../../../server/print/pdf-process.ts'
import { demoFolders, rowsOf } from '../../cli/demo-folders.ts'
import { svc } from '../../cli/process.ts'
import { onDatabase } from '../../helpers/databases.ts'
import { pdfLines, pdfTexts } from '../../helpers/pdf-text.ts'
import { difference, readGrayPng } from '../../helpers/png.ts'
import { picture, swellingPicture } from '../files/pictures.ts'
import { bearer } from '../test-app.ts'
import { INVOICE, openPaperShop, type PaperShop } from './paper-shop.ts'

const GOLDEN = join(import.meta.dirname, 'golden')

/** Share of the inked dots that may differ: other versions of the same tool round otherwise. */
const MOST_DIFFERENCE = 0.1

/** Height of the largest letters of a paper but for its stamp, in points. */
const MOST_HEIGHT = 60

/** A tool of poppler on a PDF; none of them is in a database of ours, so they are strangers who read it. */
function poppler(tool: string, args: readonly string[], pdf: Buffer): Buffer {
  return execFileSync(tool, [...args], {
    input: pdf,
    maxBuffer: 1 << 26,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** What is wrong with a PDF as a paper: its pages, its letters, what stands outside of its page. */
function problemsOf(pdf: Buffer, most: number): readonly string[] {
  const found: string[] = []
  const facts = poppler('pdfinfo', ['-'], pdf).toString()
  const pages = Number(/^Pages:\s+(\d+)/m.exec(facts)?.[1])
  if (!(pages >= 1 && pages <= most)) found.push(`${pages} pages`)
  if (!/^Page size:\s+(595\.\d+ x 841\.\d+|612 x 792) pts/m.test(facts))
    found.push(/^Page size.*/m.exec(facts)?.[0] ?? 'no page size')
  const fonts = poppler('pdffonts', ['-'], pdf).toString().split('\n').slice(2).filter(Boolean)
  if (fonts.length === 0) found.push('no letters')
  for (const font of fonts)
    if (!/\s+yes\s+(yes|no)\s+(yes|no)\s+\d+\s+\d+\s*$/.test(font))
      found.push(`not embedded: ${font}`)
  const box = poppler('pdftotext', ['-bbox', '-', '-'], pdf).toString()
  for (const page of box.split('<page ').slice(1)) {
    const [, width = '0', height = '0'] = /width="([\d.]+)" height="([\d.]+)"/.exec(page) ?? []
    const words = [
      ...page.matchAll(
        /xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)/g,
      ),
    ]
    const outside = words.filter(
      ([, x0, y0, x1, y1]) =>
        // The stamp across a paper is large, and may reach over its edges.
        Number(y1) - Number(y0) < MOST_HEIGHT &&
        (Number(x0) < 0 ||
          Number(y0) < 0 ||
          Number(x1) > Number(width) ||
          Number(y1) > Number(height)),
    )
    if (words.length === 0) found.push('an empty page')
    for (const [, , , , , word] of outside.slice(0, 3)) found.push(`outside of its page: ${word}`)
  }
  return found
}

const papers = suite('the papers of the demo company')
const folders = demoFolders()
papers.after(() => folders.remove())

papers('are PDF of sane pages, with their letters in them, whatever they are of', async () => {
  const made = await svc(['demo', '--data', folders.dataOf('demo'), '--months', '3'])
  assert.is(made.code, 0, made.stderr)
  await folders.inside('demo', async (engine) => {
    const context = engine.context(SYSTEM_ACTOR, 'business')
    const wrong: string[] = []
    let drawn = 0
    for (const definition of engine.services.registry.all) {
      if (definition.isChild) continue
      const rows = await rowsOf(engine, definition.doctype)
      const isDeclared = Object.keys(definition.behaviour.print ?? {}).length > 0
      const some = isDeclared ? [0, 1, Math.floor(rows.length / 2), rows.length - 1] : [0]
      for (const at of new Set(some.filter((one) => one in rows))) {
        const id = String(rows[at]?.name)
        for (const lang of isDeclared && at === 0 ? ['en', 'de', 'fr', 'es'] : ['en']) {
          const query = new Map([['lang', lang]])
          const paper = await composePaper({ context, system: context }, definition, id, query)
          const pdf = await pdfOfPaper({ system: context, pdf: pdfOf, files: undefined }, paper)
          wrong.push(...problemsOf(pdf, 8).map((one) => `${definition.slug} ${id} ${lang}: ${one}`))
          drawn += 1
        }
      }
    }
    console.log(`${drawn} papers`)
    assert.ok(drawn > 150, `${drawn} papers`)
    assert.equal(wrong, [])
  })
})

papers.run()

onDatabase('sqlite', 'a paper', ({ test, create }) => {
  let shop: PaperShop
  test.before(async () => {
    shop = await openPaperShop(await create())
  })
  test.after(() => shop.api.close())

  const pdfAt = async (slug: string, id: string): Promise<Buffer> => {
    const { status, body } = await shop.page(`/print/${slug}/${id}?format=pdf`)
    assert.is(status, 200)
    return body as Buffer
  }

  test('looks as it did when somebody last looked at it', async () => {
    const quotation = {
      customer: 'CUST-00001',
      items: [{ item_code: 'LAMP', qty: 1, rate: 10 }],
      terms: 'Ten days.\n\nNo return.',
    }
    for (const [slug, body, isSubmitted] of [
      ['sales-invoices', INVOICE, true],
      ['quotations', quotation, false],
    ] as const) {
      const pdf = await pdfAt(slug, await shop.make(slug, body, isSubmitted))
      const png = poppler('pdftoppm', ['-gray', '-png', '-r', '72', '-singlefile', '-'], pdf)
      const file = join(GOLDEN, `${slug}.png`)
      if (!existsSync(file)) writeFileSync(file, png)
      const share = difference(readGrayPng(readFileSync(file)), readGrayPng(png))
      const told = join(shop.api.filesFolder, '..', `${slug}.png`)
      writeFileSync(told, png)
      assert.ok(share <= MOST_DIFFERENCE, `${slug}: ${share} of its dots differ; ${told}`)
    }
  })

  test('is drawn whatever the logo is: broken, or a bomb, or none', async () => {
    const set = { authorization: bearer(shop.api.keys.admin) }
    const bomb = Buffer.from(picture())
    bomb.writeUInt32BE(60_000, 16)
    bomb.writeUInt32BE(60_000, 20)
    const whole = picture([9, 9, 200], 60, 20)
    const id = await shop.make('quotations', {
      customer: 'CUST-00001',
      items: [{ item_code: 'LAMP', qty: 1, rate: 10 }],
    })
    const sizes: number[] = []
    const swelling = swellingPicture(500_000_000)
    assert.ok(swelling.length < 1_000_000)
    for (const content of [whole, bomb, swelling, whole.subarray(0, 50), Buffer.from('no')]) {
      const made = await supertest(shop.api.app)
        .post('/v1/files')
        .set(set)
        .attach('file', content, 'logo.png')
      await supertest(shop.api.app)
        .patch('/v1/companies/Nordwind%20GmbH')
        .set(set)
        .send({ company_logo: made.body.file_url })
      const pdf = await pdfAt('quotations', id)
      assert.ok(pdfLines(pdf).some((line) => line.endsWith('Nordwind GmbH')))
      sizes.push(poppler('pdfimages', ['-list', '-'], pdf).toString().trim().split('\n').length - 2)
    }
    assert.equal(sizes, [1, 0, 0, 0, 0])
  })

  test('of many rows has the head of its table on each page, no row twice, none torn and none lost', async () => {
    const items = Array.from({ length: 120 }, (_, at) => ({
      item_code: 'LAMP',
      qty: at + 1,
      rate: 1,
      description: `Row ${at + 1} has\nmore lines\nthan one`,
    }))
    const pdf = await pdfAt(
      'sales-invoices',
      await shop.make('sales-invoices', { customer: 'CUST-00001', items }),
    )
    assert.equal(problemsOf(pdf, 12), [])
    const texts = pdfTexts(pdf)
    const pages = Math.max(...texts.map(({ page }) => page))
    assert.ok(pages > 5, `${pages} pages`)
    for (let page = 1; page <= pages; page += 1) {
      const lines = pdfLines(pdf, page)
      assert.ok(
        lines.some((line) => line.endsWith(`${page} / ${pages}`)),
        `the number of page ${page}`,
      )
      const rows = lines.filter((line) => /Row \d+ has$/.test(line))
      const parts = lines.filter((line) => /than one$/.test(line))
      assert.is(rows.length, parts.length, `rows of page ${page}`)
      if (rows.length > 0)
        assert.ok(
          lines.some((line) => / Quantity$/.test(line)),
          `the head of page ${page}`,
        )
    }
    const all = Array.from({ length: pages }, (_, at) => pdfLines(pdf, at + 1)).flat()
    const order = all.flatMap((line) => /Row (\d+) has$/.exec(line)?.[1] ?? [])
    assert.equal(
      order.map(Number),
      items.map((_, at) => at + 1),
    )
    // Nobody finds the sum alone on a page without a row.
    const last = pdfLines(pdf, pages)
    assert.ok(last.some((line) => /Grand Total/.test(line)))
  })
})
