import { constants } from 'node:os'
import { readOptions, type SoakOptions, USAGE } from './options.ts'
import { soak } from './soak.ts'

process.exit(await main(process.argv.slice(2)))

/** Returns the exit code: 0 when all passed, 1, or 2 for a command line that cannot be read. */
async function main(args: readonly string[]): Promise<number> {
  let options: SoakOptions | 'help'
  try {
    options = readOptions(args)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    return 2
  }
  if (options === 'help') {
    console.log(USAGE)
    return 0
  }
  // An end by a signal, too, is one at which the servers of a run are taken along.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  const seed = Number(process.env.SVC_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`soak: SVC_TEST_SEED=${seed}`)
  const { passed, failed } = await soak(options, seed)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 && passed > 0 ? 0 : 1
}
