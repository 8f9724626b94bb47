import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { knownHosts } from '../../server/http/host-names.ts'
import { readHostNames } from '../../server/settings/setting-values.ts'

const test = suite('the names a workspace is reached by')

test('are those that were set, on any port and however written, and loopback ones always', () => {
  const isKnown = knownHosts({
    baseUrl: 'https://erp.example.com/svc',
    apiUrl: 'http://[2001:db8::1]:8443',
    publicHosts: readHostNames('Intern, 10.0.0.5'),
  })!
  const table: Readonly<Record<string, boolean>> = {
    'erp.example.com': true,
    'ERP.example.com:8000': true,
    'erp.example.com.': true,
    '[2001:DB8:0::1]:8443': true,
    'intern:80': true,
    '10.0.0.5': true,
    'localhost:8000': true,
    'svc.localhost': true,
    '127.0.0.1:8000': true,
    '127.9.9.9': true,
    '[::1]:8000': true,
    'evil.example': false,
    'erp.example.com.evil.example': false,
    'evil.example:erp.example.com': false,
    'evil.example/erp.example.com': false,
    'erp.example.com@evil.example': false,
    'evil.example#@erp.example.com': false,
    'localhost.evil.example': false,
    '127.0.0.1.evil.example': false,
    '10.0.0.6': false,
    '[2001:db8::2]': false,
    '': false,
    ' ': false,
  }
  for (const [header, expected] of Object.entries(table))
    assert.is(isKnown(header), expected, JSON.stringify(header))
})

test('are any while none was set', () => {
  assert.is(knownHosts({}), undefined)
  assert.is(knownHosts({ publicHosts: [] }), undefined)
})

test('are set without ports, paths and the like', () => {
  assert.equal(readHostNames('a.example, [::1],Ü.example'), [
    'a.example',
    '[::1]',
    'xn--tda.example',
  ])
  for (const wrong of ['a.example:80', 'https://a.example', 'a.example/x', 'u@a.example', '[::1'])
    assert.throws(() => readHostNames(wrong), /expected host names without ports/, wrong)
})

test.run()
