import { Writable } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLogger } from '../../server/observe/logger.ts'

const test = suite('logger')

test('secrets are cut out by name, and an error shows its message and stack but not its properties', () => {
  let text = ''
  const destination = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  const logger = createLogger({ level: 'info', destination })
  const headers = { Authorization: 'canary', cookie: 'canary', accept: 'text/plain' }
  const err = Object.assign(new Error('broke'), {
    code: '23505',
    detail: 'canary',
    parameters: ['canary'],
  })
  logger.info({ headers, key: 'canary', 'x-api-key': 'canary', password: 'canary', err }, 'hello')
  logger.debug('below the level')
  const line = JSON.parse(text) as { headers: object; err: { code: string }; msg: string }
  assert.not.match(text, 'canary')
  assert.equal(line.headers, {
    Authorization: '[redacted]',
    cookie: '[redacted]',
    accept: 'text/plain',
  })
  assert.is(line.err.code, '23505')
  assert.is(line.msg, 'hello')
})

test.run()
