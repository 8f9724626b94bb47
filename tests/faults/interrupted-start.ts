import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Served } from '../cli/process.ts'
import { type Random, randomOf, rounds } from '../helpers/random.ts'
import { checkLogs } from './check-logs.ts'
import { call } from './exchange.ts'
import type { FaultRun } from './scene.ts'
import { createFaultWorkspace, type FaultWorkspace } from './workspace.ts'

/** DocTypes that each round adds to the shipped ones. */
const ADDED = 10
/** Starts that are interrupted before one is left alone. */
const INTERRUPTED = rounds(1)
/** About how long the first start takes, in ms; of later ones it is measured. It only aims, nothing depends on it. */
const FIRST_START = 1300

/**
 * T10: SIGTERM in the middle of a start that sets up and migrates, several times a round, and then a start that is left
 * alone: it serves every DocType with all that was written before, and nothing is left to migrate. Each round
 * brings new DocTypes, and a new column with an index for those that are there.
 */
export async function interruptedStarts({ kind, seed, rounds, tell }: FaultRun): Promise<void> {
  const workspace = await createFaultWorkspace(kind)
  const random = randomOf(seed)
  const known: string[] = []
  let took = FIRST_START
  try {
    for (let round = 1; round <= rounds; round += 1) {
      defineGears(workspace, round)
      for (let start = 1; start <= INTERRUPTED; start += 1) {
        const ms = momentIn(took, random)
        const listened = await interrupt(workspace, ms)
        tell(
          `round ${round} of ${rounds}: told to stop after ${ms} ms${listened ? ', when it served' : ''}`,
        )
      }
      const began = performance.now()
      const server = await workspace.start()
      took = performance.now() - began
      await checkServed(workspace, server, round, known)
      const { code, stderr } = await server.end()
      assert.is(code, 0)
      checkLogs(stderr)
      await checkMigrated(workspace)
    }
  } finally {
    await workspace.remove()
  }
}

/** A moment of a start: every other one about its middle, where the migration is. */
function momentIn(took: number, random: Random): number {
  const part = random.chance(0.5) ? 0.35 + 0.3 * random.next() : random.next()
  return Math.round(part * took)
}

/** Starts a process and tells it to stop after so many ms. True when it was listening by then. */
async function interrupt(workspace: FaultWorkspace, ms: number): Promise<boolean> {
  const started = workspace.launch()
  await sleep(ms)
  const { code, stdout, stderr } = await started.end()
  // Before it listens there is nothing to drain: the signal itself ends it. A code of its own is a failure.
  assert.ok(code === null || code === 0, `ended with ${code}: ${stderr}`)
  checkLogs(stderr)
  await workspace.forgotten(started)
  return stdout !== ''
}

function defineGears({ doctypes }: FaultWorkspace, round: number): void {
  mkdirSync(doctypes, { recursive: true })
  for (let number = 0; number < round * ADDED; number += 1)
    writeFileSync(join(doctypes, `gear-${number}.yaml`), gearText(number, round))
}

function gearText(number: number, round: number): string {
  const sizes = Array.from(
    { length: round },
    (_, at) => `  size_${at + 1}: {type: int, filterable: true}`,
  )
  return `doctype: Gear ${number}
resource: gears-${number}
module: setup
tier: free
naming: "GEAR-${number}-{#####}"
fields:
  label: {type: data, required: true, filterable: true}
${sizes.join('\n')}
`
}

/** Every DocType serves; what earlier rounds wrote is there, and each gets one record more. */
async function checkServed(
  workspace: FaultWorkspace,
  { url }: Served,
  round: number,
  known: string[],
): Promise<void> {
  const key = workspace.key()
  for (const path of known)
    assert.is((await call<{ label: string }>(url, key, 'GET', path)).label, path.split('/')[2])
  for (let number = 0; number < round * ADDED; number += 1) {
    const slug = `gears-${number}`
    const body = { label: slug, [`size_${round}`]: number }
    const made = await call<{ id: string }>(url, key, 'POST', `/v1/${slug}`, body)
    const found = await call<{ meta: { total: number } }>(
      url,
      key,
      'GET',
      `/v1/${slug}?size_${round}=${number}`,
    )
    assert.is(found.meta.total, 1, slug)
    known.push(`/v1/${slug}/${made.id}`)
  }
}

async function checkMigrated(workspace: FaultWorkspace): Promise<void> {
  const { code, stdout, stderr } = await workspace.command('migrate', '--dry-run', '--json')
  assert.is(code, 0, stderr)
  assert.equal((JSON.parse(stdout) as { steps: unknown }).steps, [])
  if (workspace.kind === 'postgres')
    assert.equal(
      await workspace.rows('select indexrelid::regclass::text from pg_index where not indisvalid'),
      [],
    )
}
