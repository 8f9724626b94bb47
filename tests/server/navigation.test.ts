import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isNavigation } from '../../server/http/navigation.ts'

const CHROME = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const test = suite('a navigation')

test('is what a person opens in a browser, and no request of a program', () => {
  const asked: readonly (readonly [boolean, string, Readonly<Record<string, string>>])[] = [
    [true, 'GET', { accept: CHROME }],
    [true, 'HEAD', { accept: 'text/html' }],
    [true, 'GET', { accept: 'application/json, Text/HTML;q=0.5' }],
    [true, 'GET', { accept: CHROME, 'sec-fetch-mode': 'navigate' }],
    [false, 'GET', { accept: CHROME, 'sec-fetch-mode': 'cors' }],
    [false, 'POST', { accept: CHROME }],
    [false, 'GET', { accept: CHROME, authorization: 'Bearer svc_live_x' }],
    [false, 'GET', { accept: CHROME, 'x-api-key': 'svc_live_x' }],
    [false, 'GET', { accept: '*/*' }],
    [false, 'GET', { accept: 'text/*' }],
    [false, 'GET', { accept: 'application/json, text/plain, */*' }],
    [false, 'GET', { accept: 'text/html;q=0, application/json' }],
    [false, 'GET', { accept: 'text/html;q=0.000' }],
    [false, 'GET', { accept: 'text/htmlx' }],
    [false, 'GET', {}],
  ]
  for (const [expected, method, headers] of asked)
    assert.is(isNavigation({ method, headers }), expected, `${method} ${JSON.stringify(headers)}`)
})

test.run()
