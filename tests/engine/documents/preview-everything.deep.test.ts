import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { isKeptByEngine } from '../../../engine/definition/model/kept.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { furnish, shippedGenerator } from '../../helpers/generate-workspace.ts'
import { openPrepared } from '../../helpers/prepared.ts'
import { type KnownTables, triedAndDone } from '../../helpers/preview-checks.ts'
import { randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { walk } from '../../helpers/walk.ts'

const FOLDER = join(import.meta.dirname, '../../../doctypes')
const STEPS = rounds(Number(process.env.STEPS ?? 1500))

forEachDatabase('previews of every shipped DocType', ({ test, create }) => {
  for (const seed of seedsOf(import.meta.filename, [1]))
    test(`equal what is done then, over ${STEPS} random steps (seed ${seed})`, async () => {
      let now = Date.parse('2026-03-01T12:00:00.000Z')
      let isHeld = false
      const engine = await openPrepared({
        database: await create(),
        doctypes: [FOLDER],
        secretKey: Buffer.alloc(32, 7),
        clock: {
          now: () => {
            if (!isHeld) now += 1
            return now
          },
        },
      })
      try {
        const context = engine.context(SYSTEM_ACTOR, await engine.tier())
        await furnish(context)
        const random = randomOf(seed)
        const made = shippedGenerator(context, random, { chance: 0.6 })
        const bodies = new Map()
        for (const definition of engine.services.registry.all)
          if (!isKeptByEngine(definition)) bodies.set(definition, await made.body(definition))
        const wrong = new Map<string, string>()
        const known: KnownTables = new Map()
        let tried = 0
        const deeds = await walk(
          {
            ...{ context, made, random, bodies },
            nextDay: () => {
              now += 86_400_000
            },
            attempt: async (operation) => {
              now += 1
              isHeld = true
              tried += 1
              try {
                return await triedAndDone(context, operation, known, ({ message, details }) =>
                  wrong.set(operation.definition.doctype, `${message} ${details}`),
                )
              } finally {
                isHeld = false
              }
            },
          },
          STEPS,
        )
        assert.equal([...wrong], [])
        const kinds = new Set([...deeds.keys()].map((what) => what.replace(/ \w+$/, '')))
        assert.ok(kinds.size > bodies.size * 0.9, `${kinds.size} of ${bodies.size} DocTypes`)
        assert.ok(tried > STEPS)
      } finally {
        await engine.close()
      }
    })
})
