import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { svc } from '../cli/process.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'

/** Who signs in first, with a key of the workspace. */
export interface FirstPerson {
  readonly user: string
  readonly password: string
  readonly admin_key: string
  /** Everybody who works in the demo company, its owner first. */
  readonly accounts?: readonly DemoPerson[]
}

/** Somebody of the demo company. */
export interface DemoPerson {
  readonly email: string
  readonly password: string
  readonly roles: readonly string[]
}

/** File beside a prepared data folder with its first person. */
const PERSON = 'first-person.json'

/**
 * Makes a data folder of the plan `business` in which somebody may sign in: empty, or with the last months of the demo
 * company, whose owner that is. The first test of a run makes each of the two, the others copy it.
 */
export async function prepareSite(data: string, kind: 'demo' | 'empty'): Promise<FirstPerson> {
  if (process.env.TEST_RUN === undefined) return make(data, kind)
  const made = join(tmpdir(), `desk-${kind}`)
  const making = `${made}-making`
  const failed = join(making, 'failed')
  if (isOnUs(making, made)) {
    try {
      const person = await make(join(making, 'data'), kind)
      writeFileSync(join(making, PERSON), JSON.stringify(person))
      renameSync(making, made)
    } catch (error) {
      writeFileSync(failed, String(error))
      throw error
    }
  } else {
    // However long it takes: who makes it says where it fails.
    while (!existsSync(made) && !existsSync(failed)) await sleep(100)
    assert.ok(existsSync(made), 'the workspace that another test prepares could not be made')
  }
  cpSync(join(made, 'data'), data, { recursive: true })
  return JSON.parse(readFileSync(join(made, PERSON), 'utf8')) as FirstPerson
}

/** Whether nobody has begun to make it. */
function isOnUs(making: string, made: string): boolean {
  try {
    mkdirSync(making)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
  if (!existsSync(made)) return true
  rmdirSync(making)
  return false
}

async function make(data: string, kind: 'demo' | 'empty'): Promise<FirstPerson> {
  const person = await (kind === 'demo' ? playDemo(data) : start(data))
  const { code, stderr } = await svc(['tier', 'set', 'business', '--data', data])
  assert.is(code, 0, stderr)
  return person
}

async function start(data: string): Promise<FirstPerson> {
  await prepareStarted(data)
  return JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8')) as FirstPerson
}

async function playDemo(data: string): Promise<FirstPerson> {
  const { code, stdout, stderr } = await svc(['demo', '--data', data, '--months', '2', '--json'])
  assert.is(code, 0, stderr)
  const { accounts, setup } = JSON.parse(stdout) as {
    accounts: readonly DemoPerson[]
    setup: { admin_key: string }
  }
  const [owner] = accounts
  assert.ok(owner, 'expected the demo to have an owner')
  return { user: owner.email, password: owner.password, admin_key: setup.admin_key, accounts }
}
