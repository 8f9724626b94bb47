import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allowEntryProblem, allowList } from '../../../server/auth/allow-list.ts'

const test = suite('allow lists')

test('an address is on a list when one of its entries covers it, mapped IPv4 as IPv4', () => {
  const list = allowList(['10.0.0.0/8', '203.0.113.7', '2001:db8::/32', '::ffff:192.0.2.0/120'])
  for (const address of [
    '10.255.0.1',
    '::ffff:10.1.2.3',
    '::FFFF:203.0.113.7',
    '203.0.113.7',
    '2001:db8:ffff::1',
    '192.0.2.77',
  ]) {
    assert.ok(list.includes(address), address)
  }
  for (const address of [
    '11.0.0.1',
    '203.0.113.8',
    '2001:db9::1',
    '192.0.3.1',
    '',
    'localhost',
    '::ffff:11.0.0.1',
  ]) {
    assert.not.ok(list.includes(address), address)
  }
})

test('0.0.0.0/0 is every IPv4 address and no IPv6 one', () => {
  const list = allowList(['0.0.0.0/0'])
  assert.ok(list.includes('8.8.8.8'))
  assert.not.ok(list.includes('2001:db8::1'))
})

test('entries that are no address or range are named as problems', () => {
  for (const entry of ['1.2.3.4', '1.2.3.0/24', '::1', '::/0'])
    assert.is(allowEntryProblem(entry), undefined, entry)
  for (const entry of [
    '',
    '1.2.3',
    '1.2.3.4/33',
    '::1/129',
    '1.2.3.4/',
    '1.2.3.4/-1',
    'a.b',
    '::1%lo',
    '1.2.3.4/8/8',
    null,
    4,
  ]) {
    assert.type(allowEntryProblem(entry), 'string', String(entry))
  }
})

test.run()
