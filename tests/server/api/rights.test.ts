import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { randomOf, seedsOf } from '../../helpers/random.ts'
import { openSite, SITE_DOCTYPES, type Site } from './site.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

/** Everybody has their own; what links to one is everybody's. */
const DOCTYPES = {
  ...SITE_DOCTYPES,
  diary: `
doctype: Diary
module: stock
tier: free
submittable: true
naming: DIA-{#####}
search: [words]
fields:
  words: {type: data, required: true, filterable: true}
  pages:
    type: table
    options: Diary Page
    fields:
      text: {type: data}
permissions:
  roles:
    Sales User: [all]
    Stock Manager: [all]
  rows:
    Sales User: owner == user.name
`,
  shelf: `
doctype: Shelf
module: stock
tier: free
naming: SHE-{#####}
fields:
  diary: {type: link, options: Diary}
permissions:
  roles:
    Sales User: [all]
`,
}

const PEOPLE = ['ann@example.com', 'ben@example.com']

for (const seed of SEEDS)
  forEachDatabaseWhenDeep(`rights on surface A (seed ${seed})`, ({ test, create }) => {
    let site: Site
    const tokens = new Map<string, string>()
    /** Name of each diary → whose it is, and its page. */
    const diaries = new Map<string, { readonly owner: string; readonly page: string }>()
    const shelves = new Map<string, string>()

    test.before(async () => {
      site = await openSite({
        database: await create(),
        doctypes: DOCTYPES,
        settings: { rateLimit: false },
      })
      for (const login of PEOPLE) tokens.set(login, await site.addPerson(login, ['Sales User']))
      const random = randomOf(seed)
      for (let n = 0; n < 12; n += 1) {
        const owner = random.one(PEOPLE)
        const json = { words: `secret words ${n}`, pages: [{ text: `secret page ${n}` }] }
        const { body, text } = await site.call('POST', '/api/resource/Diary', {
          json,
          as: tokens.get(owner)!,
        })
        assert.ok(body.data, text)
        diaries.set(body.data.name, { owner, page: body.data.pages[0].name })
        const shelf = await site.call('POST', '/api/resource/Shelf', {
          json: { diary: body.data.name },
        })
        shelves.set(shelf.body.data.name, body.data.name)
      }
    })
    test.after(() => site?.close())

    const enc = encodeURIComponent

    test('no way of reading shows the record of somebody else', async () => {
      for (const login of PEOPLE) {
        const as = tokens.get(login)!
        const foreign = [...diaries].filter(([, { owner }]) => owner !== login)
        const own = diaries.size - foreign.length
        for (const query of [
          'fields=["*"]&limit_page_length=0',
          'fields=["name","pages.text"]&limit_page_length=0',
          'fields=["name","pages"]&limit_page_length=0',
          'or_filters=[["words","like","secret%25"]]&fields=["words"]&limit_page_length=0',
        ]) {
          const { body, text } = await site.call('GET', `/api/resource/Diary?${query}`, { as })
          assert.is(body.data?.length, own, `${query} ${text}`)
        }
        const count = await site.call('GET', '/api/method/frappe.client.get_count?doctype=Diary', {
          as,
        })
        assert.is(count.body.message, own)
        const found = await site.call(
          'GET',
          '/api/method/frappe.desk.search.search_link?doctype=Diary&txt=secret&page_length=100',
          { as },
        )
        assert.is(found.body.message?.length, own, found.text)
        const rows = await site.call(
          'GET',
          '/api/resource/Diary%20Page?parent=Diary&fields=["text"]&limit_page_length=0',
          { as },
        )
        assert.is(rows.body.data?.length, own, rows.text)
        const linked = await site.call(
          'GET',
          '/api/resource/Shelf?fields=["name","diary.words"]&limit_page_length=0',
          { as },
        )
        for (const row of linked.body.data ?? []) {
          const { owner } = diaries.get(shelves.get(row.name)!)!
          assert.is(row.words === null, owner !== login, JSON.stringify(row))
        }
        for (const [name, { page }] of foreign) {
          const method = '/api/method/frappe.client'
          const shelf = [...shelves].find(([, diary]) => diary === name)![0]
          for (const path of [
            `/api/resource/Diary/${name}`,
            `${method}.get?doctype=Diary&name=${name}`,
            `${method}.get?doctype=Diary&filters=${enc(JSON.stringify({ name }))}`,
            `${method}.get_value?doctype=Diary&filters=${name}&fieldname=words`,
            `${method}.validate_link?doctype=Diary&docname=${name}&fields=["words"]`,
            `/api/resource/Shelf/${shelf}?expand_links=1`,
            `${method}.get_list?doctype=Diary%20Page&parent=Diary&fields=["text"]&filters=${enc(JSON.stringify({ name: page }))}`,
          ]) {
            const { text } = await site.call('GET', path, { as })
            assert.not.match(text, /secret (words|page)/, path)
          }
        }
      }
    })

    test('no way of changing reaches the record of somebody else, and nothing of it changes', async () => {
      const all = '/api/resource/Diary?fields=["*"]&limit_page_length=0&order_by=name asc'
      const before = (await site.call('GET', all)).text
      for (const login of PEOPLE) {
        const as = tokens.get(login)!
        const foreign = [...diaries].filter(([, { owner }]) => owner !== login)
        for (const [name, { page }] of foreign) {
          const doc = { doctype: 'Diary', name, words: 'mine now' }
          for (const [method, path, json] of [
            ['PUT', `/api/resource/Diary/${name}`, { words: 'mine now' }],
            ['PUT', `/api/resource/Diary/${name}`, { docstatus: 1 }],
            ['DELETE', `/api/resource/Diary/${name}`, undefined],
            ['POST', `/api/resource/Diary/${name}?run_method=submit`, {}],
            [
              'POST',
              '/api/method/frappe.client.set_value',
              { ...doc, fieldname: 'words', value: 'mine now' },
            ],
            [
              'POST',
              '/api/method/frappe.client.set_value',
              { doctype: 'Diary Page', name: page, fieldname: 'text', value: 'x' },
            ],
            ['POST', '/api/method/frappe.client.save', { doc }],
            ['POST', '/api/method/frappe.client.submit', { doc }],
            ['POST', '/api/method/frappe.client.delete', { doctype: 'Diary', name }],
            [
              'POST',
              '/api/method/frappe.client.insert',
              { doc: { doctype: 'Diary Page', parent: name, parenttype: 'Diary', text: 'x' } },
            ],
          ] as const) {
            const { status, body } = await site.call(method, path, { as, json })
            assert.equal([path, status, body.exc_type], [path, 404, 'DoesNotExistError'])
          }
          const bulk = await site.call('POST', '/api/method/frappe.client.bulk_update', {
            as,
            json: { docs: [{ doctype: 'Diary', docname: name, words: 'mine now' }] },
          })
          assert.is(bulk.body.message.failed_docs.length, 1)
        }
      }
      assert.is((await site.call('GET', all)).text, before)
    })

    test("a key's scope holds here too", async () => {
      const { keys } = site.test
      const json = { code: 'by-key', title: 'T' }
      const sent = (key: string): object => ({ json, as: `Bearer ${key}` })
      assert.is(
        (await site.call('GET', '/api/resource/Gadget', { as: `Bearer ${keys.read}` })).status,
        200,
      )
      assert.is((await site.call('POST', '/api/resource/Gadget', sent(keys.read))).status, 403)
      assert.is((await site.call('POST', '/api/resource/Gadget', sent(keys.write))).status, 200)
      const path = '/api/resource/Gadget/by-key'
      assert.is((await site.call('DELETE', path, { as: `Bearer ${keys.write}` })).status, 403)
      assert.is((await site.call('DELETE', path, { as: `Bearer ${keys.admin}` })).status, 202)
    })
  })
