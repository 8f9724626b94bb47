import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import { isKeptByEngine } from '../../../engine/definition/model/kept.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import type { Body } from '../../helpers/generate.ts'
import { furnish, shippedGenerator } from '../../helpers/generate-workspace.ts'
import { openPrepared } from '../../helpers/prepared.ts'
import { type KnownTables, triedAndDone } from '../../helpers/preview-checks.ts'
import { randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { walk } from '../../helpers/walk.ts'

const FOLDER = join(import.meta.dirname, '../../../doctypes')
const STEPS = rounds(400)

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
        const made = shippedGenerator(context, random, { chance: 0.4 })
        const bodies = new Map<DocTypeDefinition, Body>()
        for (const definition of engine.services.registry.all)
          if (!isKeptByEngine(definition)) await give(definition)
        /** A body of a DocType; of few the generator finds none for a seed. */
        async function give(definition: DocTypeDefinition): Promise<void> {
          try {
            bodies.set(definition, await made.body(definition))
          } catch (error) {
            if (!/^found no valid/.test(String((error as Error).message))) throw error
          }
        }
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
        const { length } = engine.services.registry.all.filter((one) => !isKeptByEngine(one))
        assert.ok(kinds.size > length * 0.85, `${kinds.size} of ${length} DocTypes`)
        assert.ok(tried > STEPS)
      } finally {
        await engine.close()
      }
    })
})
