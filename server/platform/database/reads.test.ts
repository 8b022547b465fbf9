import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { AppError } from '#server/platform/errors.ts'
import { openLog } from '#server/platform/log.ts'
import type { Db } from './database.ts'
import { openReads, openSharedReads } from './reads.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

const db = { name: 'database' } as unknown as Db
const replica = { name: 'replica' } as unknown as Db
const same = async (from: Db) => from
const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const failingAt = (one: Db, error: Error) => (from: Db) =>
  from === one ? Promise.reject(error) : Promise.resolve(from)
const downAt = (one: Db) => failingAt(one, refused())
const log = openLog({ role: 'test', level: 'silent' })

function opened() {
  const clock = { ms: 0 }
  const state = { isAway: false, tries: 0 }
  const { reads, ownReads } = openReads({ db, replica, log, now: () => new Date(clock.ms) })
  const ask = () =>
    reads(async (from) => {
      if (from === replica) state.tries += 1
      if (from === replica && state.isAway) throw refused()
      return from
    })
  return { clock, state, ask, reads, ownReads }
}

test('the database takes over while the replica is down, which is retried after five seconds', async () => {
  const { clock, state, ask } = opened()
  expect(await ask()).toBe(replica)
  state.isAway = true
  expect([await ask(), await ask()]).toEqual([db, db])
  expect(state.tries).toBe(2)
  clock.ms = 4_999
  state.isAway = false
  expect(await ask()).toBe(db)
  clock.ms = 5_000
  expect(await ask()).toBe(replica)
})

test('without a replica the database is used, by connections of their own if there are, and other errors are thrown', async () => {
  const alone = openReads({ db, replica: undefined, log, now: () => new Date(0) })
  expect([await alone.reads(same), await alone.ownReads(same)]).toEqual([db, db])
  const readers = { name: 'readers' } as unknown as Db
  const beside = openReads({ db, readers, replica: undefined, log, now: () => new Date(0) })
  expect(await beside.reads(same)).toBe(readers)
  expect(await beside.ownReads(same)).toBe(db)
  const { reads } = opened()
  await expect(reads(() => Promise.reject(new Error('syntax error')))).rejects.toThrow('syntax error')
})

test('own reads use the database, and the replica while the database is down', async () => {
  const { clock, reads, ownReads } = opened()
  expect(await ownReads(same)).toBe(db)
  expect(await ownReads(downAt(db))).toBe(replica)
  // Nothing waits for the timeout of its connection.
  expect(await ownReads(same)).toBe(replica)
  expect(await reads(same)).toBe(replica)
  clock.ms = 5_000
  expect(await ownReads(same)).toBe(db)
  await expect(reads(() => Promise.reject(refused()))).rejects.toThrow('ECONNREFUSED')
})

test('a miss and a canceled read of the replica are asked again of the database', async () => {
  const { reads, ownReads } = opened()
  const missing = new AppError('NOT_FOUND', 'There is no such part.')
  const canceled = Object.assign(new DatabaseError('canceling statement', 1, 'error'), { code: '40001' })
  for (const error of [missing, canceled]) {
    expect(await reads(failingAt(replica, error))).toBe(db)
    // The database that could have it is down.
    const read = (from: Db) => Promise.reject(from === db ? refused() : error)
    await expect(reads(read)).rejects.toBe(error)
    await expect(ownReads(failingAt(db, error))).rejects.toBe(error)
  }
})

/** Reads that finish on command. */
function sharedReadsOpenReads() {
  const ends: ((answer: string) => void)[] = []
  const failures: ((error: Error) => void)[] = []
  const read = () =>
    new Promise<string>((resolve, reject) => {
      ends.push(resolve)
      failures.push(reject)
    })
  return { ends, failures, read }
}

test('requests made during a read share the next one, which starts after them', async () => {
  const share = openSharedReads()
  const { ends, read } = sharedReadsOpenReads()
  const first = share('a', read)
  const second = share('a', read)
  const third = share('a', read)
  const other = share('b', read)
  expect(ends).toHaveLength(2)
  ends[0]?.('old')
  await turn()
  expect(ends).toHaveLength(3)
  ends[2]?.('new')
  ends[1]?.('other')
  expect(await Promise.all([first, second, third, other])).toEqual(['old', 'new', 'new', 'other'])
  const later = share('a', read)
  expect(ends).toHaveLength(4)
  ends[3]?.('later')
  expect(await later).toBe('later')
})

test('a failed shared read rejects its own requests, not those waiting for the next', async () => {
  const share = openSharedReads()
  const { ends, failures, read } = sharedReadsOpenReads()
  const first = share('a', read)
  const second = share('a', read)
  failures[0]?.(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  await turn()
  ends[1]?.('well')
  expect(await second).toBe('well')
})
