import { expect, test } from 'vitest'
import { throttleRules } from './wrong-passwords.ts'

const keys = (email: string, ip: string) => throttleRules(email, ip).map(({ key }) => key)

test.each([
  ['IPv4', '203.0.113.7', '203.0.113.7', '203.0.113.8'],
  ['IPv4 in IPv6', '::ffff:203.0.113.7', '203.0.113.7', '203.0.113.8'],
  ['an IPv6 network', '2001:db8:1:2::1', '2001:0DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:3::1'],
  ['an IPv6 network with zeros inside it', '2001:db8::1', '2001:db8:0:0:9::9', '2001:db8:0:1::1'],
  ['a link-local address', 'fe80::1%eth0', 'fe80::2', 'fe81::1'],
  ['loopback', '::1', '0:0:0:0:0:0:0:1', '1::1'],
])('%s is one address however it is written', (_, ip, same, other) => {
  expect(keys('bob@example.com', same)).toEqual(keys('bob@example.com', ip))
  const [account, everywhere, address] = keys('bob@example.com', ip)
  const [otherAccount, sameEverywhere, otherAddress] = keys('bob@example.com', other)
  expect(otherAccount).not.toBe(account)
  expect(sameEverywhere).toBe(everywhere)
  expect(otherAddress).not.toBe(address)
})

test('an account is counted regardless of letter case, and separately from other accounts', () => {
  const [bob, everywhere, address] = keys('bob@example.com', '203.0.113.7')
  expect(keys('BOB@Example.com', '203.0.113.7')).toEqual([bob, everywhere, address])
  const eve = keys('eve@example.com', '203.0.113.7')
  expect(eve).toEqual([expect.any(String), expect.any(String), address])
  expect(eve.slice(0, 2)).not.toContain(bob)
  expect(eve.slice(0, 2)).not.toContain(everywhere)
})

test('text typed as an email is not stored', () => {
  expect(keys('my-secret-password', '203.0.113.7').join()).not.toContain('secret')
})
