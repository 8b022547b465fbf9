import { expect, test } from 'vitest'
import type { Db } from './database.ts'
import { openLog } from './log.ts'
import { openReads } from './replica-reads.ts'

const db = { name: 'database' } as unknown as Db
const replica = { name: 'replica' } as unknown as Db
const log = openLog({ role: 'test', level: 'silent' })

function opened() {
  const clock = { ms: 0 }
  const state = { isAway: false, tries: 0 }
  const reads = openReads({ db, replica, log, now: () => new Date(clock.ms) })
  const ask = () =>
    reads(async (from) => {
      if (from === replica) state.tries += 1
      if (from === replica && state.isAway)
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      return from
    })
  return { clock, state, ask }
}

test('while a replica is away the database answers, and it is tried again after five seconds', async () => {
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

test('without a replica the database answers, and any other error stays one', async () => {
  expect(await openReads({ db, replica: undefined, log, now: () => new Date(0) })(async (from) => from)).toBe(
    db,
  )
  const reads = openReads({ db, replica, log, now: () => new Date(0) })
  await expect(reads(() => Promise.reject(new Error('syntax error')))).rejects.toThrow('syntax error')
})
