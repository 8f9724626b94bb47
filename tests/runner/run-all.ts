import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../helpers/postgres.ts'
import { dropPrepared } from '../helpers/prepared-databases.ts'
import { temporaryRoot } from '../helpers/temporary.ts'
import { changedSince } from './changed.ts'
import { type Check, DEEP_CHECKS, PROJECT_CHECKS } from './checks.ts'
import { findTestFiles } from './files.ts'
import { judgeCheck, judgeTestFile, type Verdict } from './judge.ts'
import type { RunnerOptions } from './options.ts'
import { type ProcessResult, runProcess } from './run-process.ts'

const UVU_HOLES = fileURLToPath(new URL('./close-uvu-holes.js', import.meta.url))
const RUN_FILES = fileURLToPath(new URL('./run-files.ts', import.meta.url))

/**
 * Room for what lives shortly, of which tests make much: a tenth of their time went into collecting it. And no compiler
 * for what runs for long, as little in a test does: another tenth went into that.
 */
const FOR_SHORT_RUNS = ['--min-semi-space-size=32', '--max-semi-space-size=64', '--no-turbofan']

/** That of the program itself (cli/start/node-guard.js). */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/svc', import.meta.url))

export interface Sum {
  readonly passed: number
  readonly failed: number
}

/** How long a check or a test file took. */
interface Took {
  readonly name: string
  readonly seconds: number
}

/** So many of the slowest are named at the end. */
const SLOWEST = 10

/** Rounds of random tests in a deep run, of those in `npm test`. */
const DEEP_ROUNDS = '5'

/** Told how a check or a test file went: prints one line, or its whole output when it failed. */
type Report = (name: string, result: ProcessResult, verdict: Verdict) => void

/** What one process after the other does. */
type Job = (report: Report) => Promise<void>

/**
 * Runs checks, each in a process of its own, and test files, some in a process, `jobs` processes at a time, and
 * prints how each went. Test files share one PostgreSQL server and a temporary folder, which are gone when this resolves.
 * Aborting kills what runs; what has not started counts as nothing.
 */
export async function runAll(options: RunnerOptions, signal: AbortSignal): Promise<Sum> {
  const files = options.tests ? chosenFiles(options) : []
  const given = process.env.SVC_TEST_DATABASE_URL
  const needsServer = options.database && given === undefined && files.length > 0
  const temporary = mkdtempSync(join(temporaryRoot(), 'svc-tests-'))
  const server = needsServer ? await startPostgres() : undefined
  const env = testEnvironment(temporary, server?.url ?? given, options.deep)
  try {
    return await runJobs(
      [
        ...(options.checks ? checkJobs(PROJECT_CHECKS, options, env, signal) : []),
        ...filesJobs(files, options, env, signal),
        ...(options.deep && options.checks ? checkJobs(DEEP_CHECKS, options, env, signal) : []),
      ],
      options.jobs,
      signal,
    )
  } finally {
    if (given !== undefined) await dropPrepared(temporary, given)
    await server?.stop()
    rmSync(temporary, { recursive: true, force: true })
  }
}

function chosenFiles({ root, filters, deep, since }: RunnerOptions): readonly string[] {
  const files = findTestFiles(root, filters, deep)
  if (since === undefined) return files
  const { files: changed, tests } = changedSince(root, since)
  const chosen = files.filter((file) => tests.includes(file))
  console.log(
    `${changed.length} changed files reach ${chosen.length} of ${files.length} test files`,
  )
  return chosen
}

/** What tests see: our environment without settings of the product, which would change what they test, but theirs. */
function testEnvironment(
  temporary: string,
  databaseUrl: string | undefined,
  deep: boolean,
): NodeJS.ProcessEnv {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^SVC_(?!TEST_)/.test(name)),
  )
  if (deep) {
    env.SVC_TEST_DEEP = '1'
    env.SVC_TEST_ROUNDS ??= DEEP_ROUNDS
  }
  if (databaseUrl !== undefined) env.SVC_TEST_DATABASE_URL = databaseUrl
  // What Node made of our TypeScript serves all processes; where lines are counted it would blur them.
  if (env.NODE_V8_COVERAGE === undefined) env.NODE_COMPILE_CACHE = COMPILE_CACHE
  return {
    ...env,
    TEST_RUN: randomBytes(6).toString('hex'),
    TMPDIR: temporary,
    FORCE_COLOR: '0',
    NO_COLOR: '1',
  }
}

function checkJobs(
  checks: readonly Check[],
  { root: cwd, timeout }: RunnerOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Job[] {
  return checks.map(({ name, args }) => async (report) => {
    const result = await runProcess(process.execPath, args, { cwd, env, timeout, signal })
    report(name, result, judgeCheck(result, timeout))
  })
}

/**
 * Processes that take one test file after the other until there is none left. Where one ends early, because of a file
 * that failed or that left something behind, another goes on.
 */
function filesJobs(
  files: readonly string[],
  { root, timeout, jobs }: RunnerOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Job[] {
  const waiting = [...files]
  const job: Job = async (report) => {
    let current: string | undefined
    const ended = (result: ProcessResult): void => {
      if (current !== undefined) report(current, result, judgeTestFile(result, timeout))
      current = undefined
    }
    const next = (): string | undefined => {
      current = waiting.shift()
      return current
    }
    const options = { cwd: root, env, timeout, signal, parts: { next, ended } }
    while (waiting.length > 0 && !signal.aborted)
      ended(
        await runProcess(
          process.execPath,
          [...FOR_SHORT_RUNS, '--import', UVU_HOLES, RUN_FILES],
          options,
        ),
      )
  }
  return Array.from({ length: Math.min(jobs, files.length) }, () => job)
}

async function runJobs(jobs: readonly Job[], limit: number, signal: AbortSignal): Promise<Sum> {
  const waiting = [...jobs]
  const took: Took[] = []
  let passed = 0
  let failed = 0
  const report: Report = (name, result, verdict) => {
    if (signal.aborted) return
    passed += verdict.passed
    failed += verdict.failed
    took.push({ name, seconds: result.seconds })
    print(name, result, verdict)
  }
  async function work(): Promise<void> {
    for (let job = waiting.shift(); job && !signal.aborted; job = waiting.shift()) await job(report)
  }
  await Promise.all(Array.from({ length: limit }, work))
  if (took.length > SLOWEST) printSlowest(took)
  return { passed, failed }
}

function printSlowest(took: readonly Took[]): void {
  const slowest = took.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  console.log(`slowest of ${took.length}:`)
  for (const { name, seconds } of slowest)
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`)
}

function print(name: string, { output, seconds }: ProcessResult, verdict: Verdict): void {
  const took = `${seconds.toFixed(1)} s`
  if (verdict.failed === 0) {
    console.log(`ok    ${name}  ${verdict.passed}  ${took}`)
    return
  }
  console.log(`FAIL  ${name}  ${verdict.problems.join('; ')}  ${took}`)
  console.log(output.trimEnd().replace(/^/gm, '      '))
}
