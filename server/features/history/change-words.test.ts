import { expect, test } from 'vitest'
import type { Actor } from '#server/platform/actor.ts'
import { changedBy, type LastChange, whoChanged } from './change-words.ts'

const at = new Date('2026-11-21T06:38:40Z')
const change: LastChange = {
  userId: 'dana',
  by: 'dana@example.com',
  kind: 'user',
  how: 'edit listing',
  at,
  isOfSeller: false,
}
const seller = { userId: 'sam', role: 0 } as Actor
const admin = { userId: 'ada', role: 1 } as Actor

test.each<[string, Partial<LastChange>, Actor, string]>([
  ['an admin, to the seller', {}, seller, 'an administrator'],
  ['a colleague, to the seller', { isOfSeller: true }, seller, 'a colleague'],
  ['a job that an admin began, to the seller', { kind: 'job', how: 'rename' }, seller, 'an administrator'],
  [
    'the program, to the seller',
    { userId: null, by: null, kind: 'job' },
    seller,
    'the program (edit listing)',
  ],
  ['somebody gone, to the seller', { userId: null, by: null }, seller, 'somebody whose account is gone'],
  ['themselves, to the seller', { userId: 'sam' }, seller, 'you, in another window'],
  ['their own import, to the seller', { userId: 'sam', kind: 'job', how: 'import' }, seller, 'you (import)'],
  ['a seller, to an admin', { by: 'Dana Whitfield', isOfSeller: true }, admin, 'Dana Whitfield'],
  ['themselves, to an admin', { userId: 'ada' }, admin, 'you, in another window'],
])('who changed it: %s', (_title, facts, viewer, told) => {
  expect(whoChanged({ ...change, ...facts }, viewer)).toBe(told)
})

test('to admins in one sentence, with the minute', () => {
  expect(changedBy({ ...change, by: 'Dana Whitfield' })).toBe(
    'Changed by Dana Whitfield at 2026-11-21 06:38 UTC',
  )
  expect(changedBy({ ...change, userId: null, by: null, how: 'import' })).toBe(
    'Changed by the program (import) at 2026-11-21 06:38 UTC',
  )
  expect(changedBy(undefined)).toBe('Changed by somebody else')
})
