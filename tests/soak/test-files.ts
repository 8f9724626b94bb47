import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const RUNNER = fileURLToPath(new URL('../run.js', import.meta.url))

/** Runs test files with a seed, on both databases as they do by themselves. Throws with what they printed when one fails. */
export async function runTestFiles(files: readonly string[], seed: number): Promise<void> {
  const child = spawn(process.execPath, [RUNNER, '--no-checks', ...files], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SVC_TEST_SEED: String(seed), SVC_TEST_ROUNDS: '3' },
  })
  const kill = (): void => void child.kill()
  process.once('exit', kill)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  const [code] = (await once(child, 'close')) as [number | null]
  process.off('exit', kill)
  if (code !== 0) throw new Error(printed)
}
