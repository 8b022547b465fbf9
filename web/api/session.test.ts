import { expect, test } from 'vitest'
import { mergeSession, readSession, signedOut } from './session.ts'

const record = (user: object, token = 'token-1') => readSession(JSON.stringify({ user, token }))

test.each([
  null,
  '',
  'not json',
  'null',
  '[]',
  '{}',
  '{"token":"t"}',
  '{"token":"","user":{"id":"1"}}',
  '{"token":7,"user":{"id":"1"}}',
  '{"token":"t","user":{"name":"no id"}}',
  '{"token":"t","user":[]}',
])('a stored record %j means signed out', (stored) => {
  expect(readSession(stored)).toBe(signedOut)
})

test('a record stored by an older app gets the spec’s defaults', () => {
  expect(record({ id: '1', name: 'Ana' }).user).toMatchObject({
    id: '1',
    name: 'Ana',
    sellerTier: 'FREE',
    subscriptionStatus: 'INACTIVE',
    connectStatus: 'NOT_STARTED',
    royaltyPercent: 0,
    certified: false,
  })
})

test('signing in again keeps what is known about the same user', () => {
  const known = record({ id: '1', name: 'Ana', listingDefaults: { city: 'Tulsa' } })
  const user = record({ id: '1' }).user
  if (!user) throw new Error('The record was not read')
  const { listingDefaults: _, ...answered } = { ...user, name: 'Ana B' }
  const merged = mergeSession(known, { token: 'token-2', user: answered as typeof user })
  expect(merged).toMatchObject({
    token: 'token-2',
    user: { name: 'Ana B', listingDefaults: { city: 'Tulsa' } },
  })
})

test('nothing from one user leaks into the next user’s session', () => {
  const known = record({ id: '1', name: 'Ana', role: 1, listingDefaults: { city: 'Tulsa' } })
  const next = { id: '2', name: 'Ben' } as NonNullable<ReturnType<typeof record>['user']>
  expect(mergeSession(known, { token: 'token-2', user: next })).toMatchObject({
    user: { id: '2', name: 'Ben', role: 0, listingDefaults: {} },
  })
})
