import { expect, test } from 'vitest'
import { hostIn, httpOrigin, isInternalHost, networksOf } from './addresses.ts'

const hostOf = (address: string) => new URL(address).hostname

test.each([
  'http://127.0.0.1/a.jpg',
  'http://127.9.9.9/',
  'http://10.0.0.8/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://0.0.0.0/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://１２７.０.０.１/',
  'http://%31%32%37.0.0.1/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[fd00::1]/',
  'http://[fc00::1]/',
  'http://[fe80::1]/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://a.localhost/',
  'http://printer.local/',
  'http://printer.local./',
  'http://db.internal/',
  'http://intranet/',
  'http://intranet./',
])('%s is inside', (address) => {
  expect(isInternalHost(hostOf(address))).toBe(true)
})

test.each([
  'http://example.com/',
  'https://cdn.example.com./a.jpg',
  'http://8.8.8.8/',
  'http://172.32.0.1/',
  'http://172.15.0.1/',
  'http://192.169.0.1/',
  'http://[2606:4700::1111]/',
  'http://localhost.example.com/',
  'http://my.locals.org/',
])('%s is outside', (address) => {
  expect(isInternalHost(hostOf(address))).toBe(false)
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['localhost', 'http://localhost:3000'],
  ['::1', 'http://[::1]:3000'],
])('a server on %s is reached at %s, and its host is read back', (host, origin) => {
  expect(httpOrigin(host, 3000)).toBe(origin)
  expect(hostIn(new URL(origin))).toBe(host)
})

test.each([
  ['127.0.0.1', true],
  ['::ffff:127.0.0.1', true],
  ['10.9.1.1', true],
  ['11.0.0.1', false],
  ['fd00::1', true],
  ['fe80::1%eth0', false],
  ['', false],
])('networks contain %s: %s', (ip, isInside) => {
  expect(networksOf(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])(ip)).toBe(isInside)
})
