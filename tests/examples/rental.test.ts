import { cpSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Folder, type Served, serve, temporaryFolder } from '../cli/process.ts'
import { prepareData } from '../helpers/prepared.ts'
import { blocksOf, EXAMPLES, shellIn } from './example.ts'
import { isShown, type Spoken, transcriptOf } from './transcript.ts'

const ADDRESS = 'http://127.0.0.1:8000'
const MARK = '=== next'

const rental = suite('docs/examples/rental')
let folder: Folder
let server: Served | undefined

rental.before(async () => {
  folder = temporaryFolder()
  await prepareData(join(folder.path, 'data'))
  cpSync(join(EXAMPLES, 'rental'), join(folder.path, 'rental'), { recursive: true })
})
rental.after(async () => {
  await server?.end()
  folder.remove()
})

rental('each file has less than 60 lines', () => {
  const files = globSync('**/*.yaml', { cwd: join(EXAMPLES, 'rental') })
  assert.is(files.length, 6)
  for (const file of files) {
    const lines = readFileSync(join(EXAMPLES, 'rental', file), 'utf8').split('\n').length - 1
    assert.ok(lines < 60, `${file}: ${lines}`)
  }
})

rental('every command of the page prints what the page shows', async () => {
  const spoken = transcriptOf(blocksOf('rental', 'console'))
  const served = spoken.findIndex(({ command }) => command === 'svc serve')
  const printed = await run(spoken.slice(0, served))
  server = await serve(join(folder.path, 'data'))
  printed.push(`svc listening on ${ADDRESS}`, ...(await run(spoken.slice(served + 1))))
  for (const [at, { command, output }] of spoken.entries())
    assert.ok(
      isShown(output, printed[at]!),
      `$ ${command}\n${printed[at]}\n--- is shown as\n${output}`,
    )
})

rental.run()

/** What each command printed, one after the other in one shell, without the path of the folder. */
async function run(spoken: readonly Spoken[]): Promise<string[]> {
  const address = server?.url ?? ADDRESS
  const script = spoken.map(({ command }) => `${command}\necho; echo '${MARK}'`).join('\n')
  const text = `exec 2>&1; set +e; export LC_ALL=C\n${script}`.replaceAll(ADDRESS, address)
  const [all = ''] = await shellIn(folder.path, folder.path)([`${text}\ntrue`])
  return all
    .split(MARK)
    .slice(0, -1)
    .map((part) => part.trim().replaceAll(`${folder.path}/`, ''))
}
