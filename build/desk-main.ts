import { fileURLToPath } from 'node:url'
import { buildDesk } from './desk.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

await main()

/** `npm start` begins with it: builds the Desk where its sources are newer, and says so in one line on stderr. */
async function main(): Promise<void> {
  const began = performance.now()
  try {
    if (await buildDesk(ROOT))
      console.error(
        `svc: the Desk was built in ${((performance.now() - began) / 1000).toFixed(1)} s`,
      )
  } catch (error) {
    // Without what only developers install the server still serves everything else.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    console.error('svc: the Desk is not built, since vite is not installed; npm ci installs it')
  }
}
