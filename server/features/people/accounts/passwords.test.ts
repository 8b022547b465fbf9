import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPassword, needsRehash, passwordProblem, unmatchableHash, verifyPassword } from './passwords.ts'

function hashWith({ memory, passes }: { memory: number; passes: number }, message: string) {
  const nonce = Buffer.from('sixteen bytes of')
  const tag = argon2Sync('argon2id', { message, nonce, memory, passes, parallelism: 1, tagLength: 32 })
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${text(nonce)}$${text(tag)}`
}

test('hashes are Argon2id with 19 MiB and two passes, and never repeat', async () => {
  const [first, second] = await Promise.all([hashPassword('red-tow-truck'), hashPassword('red-tow-truck')])
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(first).not.toBe(second)
  expect(await verifyPassword('red-tow-truck', first)).toBe(true)
  expect(await verifyPassword('red-tow-truck', second)).toBe(true)
  expect(await verifyPassword('red-tow-trucK', first)).toBe(false)
})

test('reads a hash made by another program', async () => {
  // From the reference implementation: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 24 -e
  const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await verifyPassword('password', reference)).toBe(true)
  expect(await verifyPassword('passwore', reference)).toBe(false)
})

test.each([
  ['byte 73', `${'x'.repeat(72)}a`, `${'x'.repeat(72)}b`],
  ['a trailing space', 'red-tow-truck', 'red-tow-truck '],
  ['upper case', 'red-tow-truck', 'Red-tow-truck'],
  ['a composed character', 'café-racer'.normalize('NFC'), 'café-racer'.normalize('NFD')],
  ['one emoji', '🚗🚗🚗🚗🚗🚗🚗🚗', '🚗🚗🚗🚗🚗🚗🚗🚙'],
])('passwords that differ only in %s are different', async (_, right, wrong) => {
  const hash = await hashPassword(right)
  expect(await verifyPassword(right, hash)).toBe(true)
  expect(await verifyPassword(wrong, hash)).toBe(false)
})

test.each([
  ['today’s work', { memory: 19_456, passes: 2 }, false],
  ['less memory', { memory: 9_216, passes: 2 }, true],
  ['fewer passes', { memory: 19_456, passes: 1 }, true],
])('a hash with %s still verifies; rehashed: %s', async (_, cost, rehashed) => {
  const hash = hashWith(cost, 'red-tow-truck')
  expect(await verifyPassword('red-tow-truck', hash)).toBe(true)
  expect(needsRehash(hash)).toBe(rehashed)
})

test.each(['', 'red-tow-truck', '$2b$12$abcdefghijklmnopqrstuv', '$argon2id$v=19$m=19456,t=2,p=1$$'])(
  'a malformed hash (%j) matches no password',
  async (text) => {
    expect(await verifyPassword('red-tow-truck', text)).toBe(false)
    expect(needsRehash(text)).toBe(true)
  },
)

test('checking an unknown email costs as much as checking a real one', async () => {
  expect(needsRehash(unmatchableHash)).toBe(false)
  expect(await verifyPassword('red-tow-truck', unmatchableHash)).toBe(false)
})

const owner = { name: 'Maria del Río', email: 'm.delrio@rio-salvage.com', productName: 'PartHarbor' }

test.each([
  'copper-lantern-42',
  'twelve tow trucks',
  'correct maria horse staple',
  'spartan-party-hat',
  'ключ от гаража',
  '🚗🛻🚚🚛🚜🏍🛵🚲',
  'x7#kQ9!b',
])('accepts the password %j', (plain) => {
  expect(passwordProblem(plain, owner)).toBeUndefined()
})

test.each([
  ['password1', 'easy to guess'],
  ['PASSWORD1', 'easy to guess'],
  ['qwertyuiop', 'easy to guess'],
  ['chevrolet', 'easy to guess'],
  ['mariapassword', 'easy to guess'],
  ['aaaaaaaaaaaa', 'repeats too few'],
  ['12121212121', 'repeats too few'],
  ['partharbor', 'PartHarbor'],
  ['PartHarbor1!', 'PartHarbor'],
  ['harbor-demo-1', 'PartHarbor'],
  ['Maria1975', 'your name'],
  ['delrio-delrio', 'your email'],
  ['m.delrio@rio-salvage.com', 'your email'],
  ['rio_salvage_99', 'your email'],
])('rejects the password %j: %s', (plain, reason) => {
  const problem = passwordProblem(plain, owner) ?? 'no problem'
  expect(problem).toContain(reason)
  expect(problem).toContain('few unrelated words')
})
