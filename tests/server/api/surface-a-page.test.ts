import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allMethods } from '../../../server/api/methods/methods.ts'
import { commandsOf, runCommand } from '../../helpers/curl-examples.ts'
import { openSite, type Site } from './site.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/surface-a.md'), 'utf8')

const docs = suite('docs/surface-a.md')

let site: Site
docs.before(async () => {
  site = await openSite()
})
docs.after(() => site?.close())

docs('has examples that run one after the other and answer with the status they name', async () => {
  const variables = { SITE: site.url, TOKEN: site.token.slice('token '.length) }
  const commands = commandsOf(page)
  assert.ok(commands.length >= 12)
  for (const { text, status } of commands) {
    const answer = await runCommand(text, variables)
    assert.equal([text, answer.status], [text, status], await answer.text())
  }
})

docs('names every method over records', () => {
  for (const name of allMethods([]).keys())
    assert.match(page, name.replace(/^frappe\.(client\.)?/, ''), name)
})

docs('shows the error as it is answered', async () => {
  const { body } = await site.call('POST', '/api/resource/Customer', { json: {} })
  for (const name of ['exception', 'exc_type', '_error_message', 'message'])
    assert.match(page, `"${name}": ${JSON.stringify(body[name])}`)
  assert.match(page, `"exc": ${JSON.stringify(body.exc)}`)
})

docs.run()
