import { expect, test } from 'vitest'
import { archiveName, expiredBackups } from './kept-backups.ts'

const at = (iso: string) => ({ madeAt: new Date(iso) })
const NEWEST_FIRST = [
  '2026-11-23T12:00Z', // a Monday
  '2026-11-23T02:30Z',
  '2026-11-22T02:30Z',
  '2026-11-20T02:30Z',
  '2026-11-15T02:30Z',
  '2026-11-14T02:30Z',
  '2026-11-08T02:30Z',
].map(at)
const expired = (daily: number, weekly: number) =>
  expiredBackups(NEWEST_FIRST, { daily, weekly }).map(({ madeAt }) => madeAt.toISOString().slice(5, 16))

test('the newest of each of the last days and weeks that have one stays', () => {
  expect(expired(2, 0)).toEqual(['11-23T02:30', '11-20T02:30', '11-15T02:30', '11-14T02:30', '11-08T02:30'])
  expect(expired(1, 3)).toEqual(['11-23T02:30', '11-20T02:30', '11-14T02:30', '11-08T02:30'])
  expect(expired(366, 0)).toEqual(['11-23T02:30'])
})

test('names sort by time and are good file names everywhere', () => {
  expect(archiveName(new Date('2026-11-23T02:30:00.007Z'))).toBe('partharbor-2026-11-23T02-30-00-007Z.backup')
})
