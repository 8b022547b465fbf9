import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { makeReadinessProbe } from './operations.ts'

function openLines() {
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) })
  return { lines, log }
}

test('a failing check is logged once with its reason, and so is its recovery', async () => {
  const { lines, log } = openLines()
  let why: Error | undefined
  const storage = async () => {
    if (why) throw why
  }
  const ask = makeReadinessProbe({ storage, database: async () => undefined }, log)
  expect(await ask()).toEqual({ storage: 'ok', database: 'ok' })
  expect(lines).toEqual([])

  why = new Error('The file store is full', { cause: new Error('ENOSPC: no space left') })
  expect(await ask()).toEqual({ storage: 'failing', database: 'ok' })
  await Promise.all([ask(), ask()])
  expect(lines).toEqual([
    {
      level: 40,
      check: 'storage',
      reason: 'The file store is full: ENOSPC: no space left',
      msg: 'readiness check fails',
    },
  ])

  why = undefined
  expect(await ask()).toEqual({ storage: 'ok', database: 'ok' })
  expect(lines.slice(1)).toEqual([{ level: 30, check: 'storage', msg: 'readiness check recovered' }])

  why = new AggregateError([
    new Error('connect ECONNREFUSED 127.0.0.1:1'),
    new Error('connect ECONNREFUSED ::1:1'),
  ])
  await ask()
  expect(lines[2]?.reason).toBe('connect ECONNREFUSED 127.0.0.1:1: connect ECONNREFUSED ::1:1')
})

test('on a full disk it says that it can only read', async () => {
  const { lines, log } = openLines()
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const ask = makeReadinessProbe(
    { storage: () => Promise.reject(full), database: async () => undefined },
    log,
  )
  expect(await ask()).toEqual({ storage: 'reading', database: 'ok' })
  expect(lines).toMatchObject([{ check: 'storage', reason: 'no space left' }])
})

test('a check that never ends times out with a message', async () => {
  vi.useFakeTimers()
  const { lines, log } = openLines()
  const asked = makeReadinessProbe({ database: () => new Promise(() => undefined) }, log)()
  await vi.advanceTimersByTimeAsync(3_000)
  vi.useRealTimers()
  expect(await asked).toEqual({ database: 'failing' })
  expect(lines).toMatchObject([{ check: 'database', reason: 'timed out' }])
})
