import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { furnish } from '../../helpers/generate-workspace.ts'
import { openTestApp, type TestApp } from '../test-app.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8')

const examples = suite('the examples of docs/api.md')

let test: TestApp
let server: Server
examples.before(async () => {
  test = await openTestApp()
  await furnish(test.engine.context(SYSTEM_ACTOR, await test.engine.tier()))
  server = test.app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
})
examples.after(async () => {
  server.close()
  await test.close()
})

examples('run one after the other and answer with the status they name', async () => {
  const { port } = server.address() as AddressInfo
  const variables = {
    API: `http://127.0.0.1:${port}/v1`,
    KEY: test.keys.admin,
    YEAR: String(new Date(test.clock.now()).getUTCFullYear()),
  }
  const commands = commandsOf(page)
  assert.ok(commands.length >= 20)
  for (const { text, status } of commands) {
    const answer = await run(text, variables)
    assert.equal([text, answer.status], [text, status], await answer.text())
  }
})

examples.run()

interface Command {
  readonly text: string
  readonly status: number
}

/** The curl commands of the page, each ending in the status it expects: `# 201`. */
function commandsOf(markdown: string): Command[] {
  const blocks = [...markdown.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '')
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
  return lines
    .filter((line) => line.startsWith('curl '))
    .map((line) => {
      const [, text = '', status] = /^(.*\S)\s+# (\d{3})$/.exec(line) ?? []
      if (!status) throw new Error(`expected "# status" at the end of: ${line}`)
      return { text, status: Number(status) }
    })
}

/** Does what curl would: the options -X, -H and -d, quotes and variables as a shell reads them. */
function run(command: string, variables: Readonly<Record<string, string>>): Promise<Response> {
  const [, ...words] = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) =>
      single ??
      (double ?? plain ?? '').replace(/\$([A-Z]+)/g, (_all, name) => variables[name] ?? ''),
  )
  let url = ''
  let method: string | undefined
  let body: string | undefined
  const headers = new Headers()
  while (words.length > 0) {
    const word = words.shift()!
    if (word === '-X') method = words.shift()
    else if (word === '-d') body = words.shift()
    else if (word === '-H') {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(words.shift() ?? '') ?? []
      headers.append(name, value)
    } else if (word.startsWith('-')) throw new Error(`unknown option ${word} in: ${command}`)
    else url = word
  }
  return fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    ...(body === undefined ? {} : { body }),
  })
}
