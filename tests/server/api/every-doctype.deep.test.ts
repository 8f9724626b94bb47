import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { isKeptByEngine } from '../../../engine/definition/model/kept.ts'
import { furnish, shippedGenerator } from '../../helpers/generate-workspace.ts'
import { randomOf, seedsOf } from '../../helpers/random.ts'
import { openSite, type Site } from './site.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

for (const seed of SEEDS) everyOnSurfaceA(seed)

function everyOnSurfaceA(seed: number): void {
  const every = suite(`every DocType on surface A (seed ${seed})`)
  let site: Site
  every.before(async () => {
    site = await openSite({ tier: 'business', settings: { rateLimit: false } })
    const context = site.test.engine.context(SYSTEM_ACTOR, 'business')
    await furnish(context)
    const made = shippedGenerator(context, randomOf(seed))
    for (const definition of site.test.engine.services.registry.all) {
      if (isKeptByEngine(definition) || definition.serves !== undefined) continue
      const json = await made.body(definition)
      const at = `/api/resource/${encodeURIComponent(definition.doctype)}`
      const draft = await site.call('POST', at, { json })
      assert.is(draft.status, 200, `${at} ${draft.text}`)
      if (!definition.submittable) continue
      const path = `${at}/${encodeURIComponent(draft.body.data.name)}`
      const submitted = await site.call('PUT', path, { json: { ...draft.body.data, docstatus: 1 } })
      assert.is(submitted.body.data?.docstatus, 1, `${path} ${submitted.text}`)
      // A draft beside it, where there can be two: a year is closed once.
      await site.call('POST', at, { json: made.renamed(definition, json) })
    }
  })
  every.after(() => site?.close())

  every('gives documents that may be sent back whole and stay what they were', async () => {
    let count = 0
    const problems: string[] = []
    const refused: string[] = []
    for (const definition of site.test.engine.services.registry.all) {
      const at = `/api/resource/${encodeURIComponent(definition.doctype)}`
      const { body: list, text } = await site.call('GET', `${at}?limit_page_length=3`)
      assert.ok(list.data, text)
      for (const { name } of list.data) {
        const path = `${at}/${encodeURIComponent(name)}`
        // A draft follows its masters, which the documents after it have changed; some make a draft impossible.
        const followed = await site.call('PUT', path, { json: {} })
        const read = await site.call('GET', path)
        assert.is(read.status, 200, read.text)
        if (isKeptByEngine(definition) || read.body.data.docstatus === 2) continue
        if (followed.status === 417 && read.body.data.docstatus === 0) {
          refused.push(`${path} ${followed.body.message}`)
          continue
        }
        const sent = await site.call('PUT', path, { json: read.body.data })
        count += 1
        if (sent.status !== 200) problems.push(`${path} ${sent.status} ${sent.body.message}`)
        else {
          const [is, was] = [sent, read].map(({ body }) => withoutMoments(body.data))
          assert.equal(is, was, path)
        }
      }
    }
    assert.equal(problems, [])
    assert.ok(count > 50, `${count} documents`)
    assert.ok(refused.length < 10, refused.join(' '))
  })

  every.run()
}

function withoutMoments(document: object): unknown {
  return JSON.parse(
    JSON.stringify(document, (key, value) => (/^modified(_by)?$/.test(key) ? undefined : value)),
  )
}
