import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPage, type Page } from './browser.ts'
import { type Anything, openSite, PASSWORD, type Site } from './site.ts'

/** The public React hooks, as they are published, in a page of the site. */
const hooks = suite('frappe-react-sdk')

let site: Site
let page: Page
hooks.before(async () => {
  site = await openSite({ settings: { rateLimit: false } })
  page = await openPage(site.url)
})
hooks.after(async () => {
  await page?.close()
  await site?.close()
})

/** Renders a component that only uses hooks, and tells what they return now. */
function use(run: () => Anything): () => Anything {
  let now: Anything
  page.show(() => {
    now = read(run())
    return null
  })
  return () => now
}

/** The hooks render anew only for what was read of their result while rendering. */
function read(result: Anything): Anything {
  const isResult = typeof result === 'object' && result !== null && !Array.isArray(result)
  if (!isResult) return result
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [name, name === 'data' ? value : read(value)]),
  )
}

hooks('signs in with a cookie, and everything after is done as that person', async () => {
  const { useFrappeAuth } = page.sdk
  const auth = use(() => useFrappeAuth())
  await page.until(() => auth()?.isLoading === false, 'the first look')
  assert.not.ok(auth().currentUser)
  await auth().login({ username: 'ada@example.com', password: PASSWORD })
  await page.until(() => auth().currentUser === 'ada@example.com', 'somebody is signed in')
})

hooks('creates, changes and deletes a document', async () => {
  const { useFrappeCreateDoc, useFrappeUpdateDoc, useFrappeDeleteDoc, useFrappeGetDoc } = page.sdk
  const writes = use(() => ({
    create: useFrappeCreateDoc(),
    update: useFrappeUpdateDoc(),
    remove: useFrappeDeleteDoc(),
  }))
  await page.until(() => writes(), 'the first render')
  for (const code of ['r1', 'r2', 'r3']) {
    const made = await writes().create.createDoc('Gadget', {
      code,
      title: `React ${code}`,
      price: 1,
    })
    assert.equal([made.name, made.owner], [code, 'ada@example.com'])
  }
  const changed = await writes().update.updateDoc('Gadget', 'r2', { price: '2.5' })
  assert.is(changed.price, 2.5)
  assert.equal((await writes().remove.deleteDoc('Gadget', 'r3')).message, 'ok')
  await page.until(() => writes().remove.isCompleted, 'the deletion is noted')

  const one = use(() => useFrappeGetDoc('Gadget', 'r2'))
  await page.until(() => one()?.data, 'the document is there')
  assert.is(one().data.title, 'React r2')

  const refused = use(() => useFrappeGetDoc('Gadget', 'r3'))
  await page.until(() => refused()?.error, 'the error is there')
  assert.is(refused().error.httpStatus, 404)
  assert.match(refused().error.message, 'r3')
})

hooks('lists, counts and searches', async () => {
  const { useFrappeGetDocList, useFrappeGetDocCount, useSearch } = page.sdk
  const reads = use(() => ({
    list: useFrappeGetDocList('Gadget', {
      fields: ['name', 'price'],
      filters: [['title', 'like', 'React%']],
      orderBy: { field: 'name', order: 'asc' },
      limit: 10,
    }),
    count: useFrappeGetDocCount('Gadget', [['title', 'like', 'React%']]),
    search: useSearch('Gadget', 'React r1'),
  }))
  const isDone = (): boolean =>
    ['list', 'count', 'search'].every((name) => reads()?.[name].data !== undefined)
  await page.until(isDone, 'all three have answered')
  const { list, count, search } = reads()
  assert.equal(list.data, [
    { name: 'r1', price: 1 },
    { name: 'r2', price: 2.5 },
  ])
  assert.is(count.data, 2)
  const found = search.data.message ?? search.data
  assert.equal(
    found.map(({ value }: Anything) => value),
    ['r1'],
  )
})

hooks('signs out', async () => {
  const { useFrappeAuth } = page.sdk
  const auth = use(() => useFrappeAuth())
  await page.until(() => auth()?.currentUser, 'somebody is signed in')
  await auth().logout()
  await page.until(() => !auth().currentUser, 'nobody is signed in')
})

hooks.run()
