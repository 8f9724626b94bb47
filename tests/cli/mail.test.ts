import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { prepareData } from '../helpers/prepared.ts'
import { type SmtpServer, startSmtpServer } from '../helpers/smtp-server.ts'
import { runHere } from './in-process.ts'
import { type Folder, serve, temporaryFolder } from './process.ts'

const mail = suite('mail of a running server')
let folder: Folder
let smtp: SmtpServer

mail.before(async () => {
  folder = temporaryFolder()
  await prepareData(folder.path)
  smtp = await startSmtpServer()
  const made = await runHere([
    'setup',
    '--data',
    folder.path,
    '--email',
    'ann@example.com',
    '--json',
  ])
  assert.is(made.code, 0, made.stderr)
})
mail.after(async () => {
  await smtp.close()
  folder.remove()
})

async function forget(url: string, usr: string): Promise<void> {
  const answer = await fetch(`${url}/forgot-password`, {
    method: 'POST',
    body: new URLSearchParams({ usr }),
  })
  assert.is(answer.status, 200)
}

async function waiting(): Promise<unknown> {
  const { stdout } = await runHere(['doctor', '--json', '--data', folder.path])
  const { checks } = JSON.parse(stdout) as { checks: { name: string; facts: object }[] }
  return checks.find(({ name }) => name === 'mail')?.facts
}

mail(
  'waits for a mail server that says nothing, outlives a killed process, and goes out by the next',
  async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const first = await serve(folder.path, [], { SVC_SMTP_URL: `smtp://127.0.0.1:${port}` })
    await forget(first.url, 'ann@example.com')
    while (!JSON.stringify(await waiting()).includes('"count":1,'))
      await forget(first.url, 'nobody')
    await first.end('SIGKILL')
    silent.close()

    const env = { SVC_SMTP_URL: smtp.url, SVC_BASE_URL: 'https://erp.example.com' }
    const second = await serve(folder.path, [], env)
    const [arrived] = await smtp.arrived(1)
    assert.equal(arrived?.to, ['ann@example.com'])
    assert.is(arrived?.from, 'svc@erp.example.com')
    // It names the address of the process that made it.
    assert.match(arrived?.text ?? '', `${first.url}/reset-password?token=`)

    await forget(second.url, 'ann@example.com')
    const [, next] = await smtp.arrived(2)
    assert.match(next?.text ?? '', 'https://erp.example.com/reset-password?token=')
    const { code, stderr } = await second.end()
    assert.is(code, 0)
    assert.match(stderr, '"msg":"mail: sent"')
    assert.not.match(stderr, /ann@example\.com|token=\w/)
    assert.equal(await waiting(), {
      waiting: { count: 0, oldest_seconds: null },
      failed: { count: 0, oldest_seconds: null },
    })
  },
)

mail.run()
