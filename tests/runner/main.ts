import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type RunnerOptions, readOptions, USAGE } from './options.ts'
import { runAll } from './run-all.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

await main(process.argv.slice(2))

/** Runs what the command line asks for; the last line is `N passed, N failed`, the exit code 0, 1 or 2. */
async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) {
    console.log(USAGE)
    return
  }
  let options: RunnerOptions
  try {
    options = readOptions(args, ROOT)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exitCode = 2
    return
  }
  const abort = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      process.exitCode = 128 + constants.signals[signal]
      abort.abort()
    })
  }
  const { passed, failed } = await runAll(options, abort.signal)
  if (abort.signal.aborted) {
    console.log('interrupted')
  } else if (passed + failed === 0) {
    console.log(`no test file matches ${options.filters.join(' ') || 'tests/**/*.test.ts'}`)
  }
  if (failed > 0 || passed === 0) process.exitCode ??= 1
  console.log(`${passed} passed, ${failed} failed`)
}
