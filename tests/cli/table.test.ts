import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const run = promisify(execFile)
const OUTPUT = JSON.stringify(join(import.meta.dirname, '../../cli/terminal/output.ts'))

const ROWS = [
  ['ann@example.com', 'Sales User, Sales Manager'],
  ['bob@example.com', ''],
]
const PROGRAM = `import { printTable } from ${OUTPUT}
printTable(['USER', 'ROLES'], ${JSON.stringify(ROWS)}, 'nobody')`

/** What a terminal of so many columns shows. */
async function shownOn(columns: number): Promise<string> {
  const node = [process.execPath, '--input-type=module-typescript', '-e', PROGRAM]
  const { stdout } = await run('python3', [
    '-B',
    join(import.meta.dirname, 'terminal.py'),
    String(columns),
    ...node,
  ])
  return stdout.replaceAll('\r\n', '\n')
}

const table = suite('a table on a terminal')

table('has columns where they fit', async () => {
  assert.is(
    await shownOn(42),
    `USER             ROLES
ann@example.com  Sales User, Sales Manager
bob@example.com
`,
  )
})

table('is a block for each row where they do not, so that no line breaks', async () => {
  assert.is(
    await shownOn(41),
    `USER   ann@example.com
ROLES  Sales User, Sales Manager

USER   bob@example.com
ROLES
`,
  )
})

table.run()
