import { printedSeed } from '../helpers/random.ts'
import { readOptions, USAGE } from './options.ts'
import { soak } from './soak.ts'

const options = readOptions(process.argv.slice(2))
if (options === 'help') console.log(USAGE)
else {
  const { passed, failed } = await soak(options, printedSeed('soak'))
  console.log(`${passed} passed, ${failed} failed`)
  // What a failed run has left behind shall not keep us.
  process.exit(failed === 0 && passed > 0 ? 0 : 1)
}
