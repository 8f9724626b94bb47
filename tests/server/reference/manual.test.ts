import { globSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MANUAL, manualHtml } from '../../../server/manual/manual-html.ts'
import { type Manual, pageNamed, readManual } from '../../../server/manual/manual-pages.ts'
import { openTestApp, type TestApp } from '../test-app.ts'

const manual = suite('/docs/manual')
let test: TestApp
manual.before(async () => {
  test = await openTestApp({})
})
manual.after(() => test.close())

const get = (path: string) => request(test.app).get(path)

manual('has every page of the docs, with a title, and no link in any of them is dead', async () => {
  const all = readManual()
  const { text } = await get(MANUAL)
  const drawn = new Map<string, string>()
  for (const pages of all.values())
    for (const { name, text: written, title } of pages) {
      assert.ok(text.includes(`href="${MANUAL}/${name}"`), name)
      assert.is.not(title, name)
      drawn.set(name, manualHtml(all, name, written).html)
    }
  const folder = join(import.meta.dirname, '../../../docs')
  const written = globSync('{*,modules/*,doctypes/*,doctypes/cookbook/*}.md', { cwd: folder })
    .map((name) => name.slice(0, -3).replaceAll('\\\\', '/'))
    .filter((name) => !name.endsWith('README') && name !== 'architecture')
  assert.equal([...drawn.keys()].sort(), written.sort())
  const pictures = new Set<string>()
  for (const [name, page] of drawn)
    for (const [, href = ''] of page.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (href.startsWith('https://')) continue
      const [path, anchor] = href.startsWith('#')
        ? [`${MANUAL}/${name}`, href.slice(1)]
        : href.split('#')
      if (path!.endsWith('.webp')) pictures.add(path!)
      else {
        const target = drawn.get(path!.slice(MANUAL.length + 1))
        assert.ok(target, `${name}: ${href}`)
        if (anchor !== undefined) assert.ok(target.includes(`id="${anchor}"`), `${name}: ${href}`)
      }
    }
  assert.ok(pictures.size > 20)
  for (const path of pictures) {
    const { status, headers } = await get(path)
    assert.equal([status, headers['content-type']], [200, 'image/webp'], path)
  }
})

manual('finds sections by their words, headings first, and says where there are none', async () => {
  const { text } = await get(`${MANUAL}?q=${encodeURIComponent('credit limit')}`)
  const [, first] = /<ul class="found"><li><a href="([^"]+)"/.exec(text) ?? []
  assert.is(first, `${MANUAL}/modules/sales#credit-limit`)
  const none = await get(`${MANUAL}?q=${encodeURIComponent('<script>alert(1)</script>')}`)
  assert.ok(none.text.includes('Nothing has these words'))
  assert.not.ok(none.text.includes('<script>alert'))
  assert.is((await get(`${MANUAL}?x=1`)).status, 422)
})

manual('gives nothing but its pages and pictures', async () => {
  for (const name of [
    'nothing',
    'decisions/0001',
    'desk/..%2f..%2fpackage.json',
    '..%2fpackage',
    'desk/%2e%2e/desk/01-home.webp',
    'examples/rental/damage-report',
    'desk/nothing.webp',
  ])
    assert.is((await get(`${MANUAL}/${name}`)).status, 404, name)
  assert.is((await request(test.app).post(MANUAL)).status, 405)
})

manual('shows HTML of a text, and links to what is not shipped as text', () => {
  const page = { name: 'a/b', title: 'B', text: '' }
  const all: Manual = new Map([['Shelf', [page]]])
  assert.is(pageNamed(all, 'a/b'), page)
  const shown = manualHtml(
    all,
    'a/b',
    '# What `x` is\n\n<b>no</b> [self](b.md#x) [test](../tests/x.ts) [bad](javascript:alert)\n\n# What `x` is',
  ).html
  assert.match(shown, /<h1 id="what-x-is">What <code>x<\/code> is<\/h1>/)
  assert.match(shown, /<h1 id="what-x-is-1">/)
  assert.match(shown, /&lt;b&gt;no&lt;\/b&gt; <a href="\/docs\/manual\/a\/b#x">self<\/a> test bad/)
})

manual.run()
