import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { prettyLine, prettyLines } from '../../cli/terminal/pretty-log.ts'
import { createLogger } from '../../server/observe/logger.ts'

const pretty = suite('a log for people')

const TIME = new Date(2026, 2, 1, 12, 27, 47).getTime()

function line(entry: object): string {
  return prettyLine(`${JSON.stringify({ level: 30, time: TIME, ...entry })}\n`)
}

pretty('says of a request when, what, how it ended and how long it took', () => {
  const request = { request_id: 'req_1', method: 'POST', route: '/v1/:resource', status: 201 }
  assert.is(
    line({ ...request, resource: 'customers', ms: 18.4, principal: 'key_1' }),
    '12:27:47 POST /v1/customers 201 18 ms',
  )
  assert.is(
    line({ ...request, route: '/v1/:resource/:id', resource: 'customers', status: 404, ms: 2 }),
    '12:27:47 POST /v1/customers/:id 404 2 ms',
  )
  assert.is(
    line({ ...request, route: 'none', status: 404, ms: 0.2 }),
    '12:27:47 POST (no such address) 404 0 ms',
  )
})

pretty('shows any other line with its values, and names a level that asks to be looked at', () => {
  assert.is(line({ msg: 'loaded again', doctypes: 165 }), '12:27:47 loaded again doctypes=165')
  assert.is(
    line({ level: 40, msg: 'slow', of: { id: 1 }, as: 'x y' }),
    '12:27:47 WARN slow of={"id":1} as=x y',
  )
  assert.is(
    line({ level: 50, msg: 'broke', err: { message: 'no', stack: 'Error: no\n    at x' } }),
    '12:27:47 ERROR broke\n  Error: no\n      at x',
  )
  assert.is(line({ level: 50, msg: 'broke', err: { message: 'no' } }), '12:27:47 ERROR broke: no')
})

pretty('keeps control characters from the terminal, and passes on what is no JSON', () => {
  assert.is(line({ msg: 'a\u001b[2Jb\nc' }), '12:27:47 a\\u001b[2Jb c')
  assert.is(prettyLine('{"level"\u001b\n'), '{"level"\\u001b')
})

pretty('is what a logger writes, its secrets cut out', () => {
  const written: string[] = []
  const destination = prettyLines({ write: (text) => void written.push(text) })
  const logger = createLogger({ level: 'info', destination })
  logger.info({ password: 'canary' }, 'hello')
  logger.error({ err: new Error('broke') }, 'oh')
  assert.match(written[0] ?? '', /^\d\d:\d\d:\d\d hello password=\[redacted\]\n$/)
  assert.match(written[1] ?? '', /^\d\d:\d\d:\d\d ERROR oh\n {2}Error: broke\n {6}at /)
})

pretty.run()
