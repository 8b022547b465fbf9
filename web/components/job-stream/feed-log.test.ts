import { expect, test } from 'vitest'
import { type FeedEvent, FeedLog, MAX_LINES, readSentEvent } from './feed-log.ts'

const AT = '2026-05-04T10:00:00.000Z'
type Kind = FeedEvent['kind']
type Data = Partial<FeedEvent['payload']>

const event = (
  id: number | undefined,
  kind: Kind = 'log',
  status: string | null = null,
  data: Data = {},
): FeedEvent => ({
  id,
  kind,
  status,
  payload: { stream: 'stdout', message: `line ${id}`, loggedAt: AT, ...data },
})
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => event(from + n))
const ids = (log: FeedLog) => log.view().lines.map(({ id }) => id)

test('shows each event id once, however often it arrives', () => {
  const log = new FeedLog()
  log.stream(lines(1, 3))
  log.stream(lines(2, 4))
  expect(ids(log)).toEqual([1, 2, 3, 4])
})

test('polled lines follow the streamed ones until the stream catches up', () => {
  const log = new FeedLog()
  log.poll({ status: 'running', events: lines(8, 10), lastId: 10 })
  expect(ids(log)).toEqual([8, 9, 10])
  log.stream(lines(1, 2))
  expect(ids(log)).toEqual([1, 2, 8, 9, 10])
  log.poll({ status: 'running', events: lines(9, 12), lastId: 12 })
  expect(ids(log)).toEqual([1, 2, 8, 9, 10, 11, 12])
  log.stream(lines(3, 11))
  expect(ids(log)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  log.poll({ status: 'running', events: lines(5, 12), lastId: 12 })
  log.stream(lines(12, 12))
  expect(ids(log)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
})

test('keeps 5,000 lines, drops the oldest, and counts them', () => {
  const log = new FeedLog()
  for (let from = 1; from <= 23_001; from += 1_000) log.stream(lines(from, from + 999))
  const { lines: shown, dropped } = log.view()
  expect([shown.length, shown[0]?.id, shown.at(-1)?.id, dropped]).toEqual([MAX_LINES, 19_001, 24_000, 19_000])
})

test('counts the one line that is too many', () => {
  const log = new FeedLog()
  log.stream(lines(1, MAX_LINES + 1))
  expect([log.view().lines.length, log.view().lines[0]?.id, log.view().dropped]).toEqual([MAX_LINES, 2, 1])
})

test('after a clear, only new lines are shown', () => {
  const log = new FeedLog()
  log.stream(lines(1, 3))
  log.poll({ status: 'running', events: lines(2, 6), lastId: 6 })
  log.clear()
  expect(log.view()).toMatchObject({ lines: [], dropped: 0 })
  log.stream(lines(4, 7))
  log.poll({ status: 'running', events: lines(6, 8), lastId: 8 })
  expect(ids(log)).toEqual([7, 8])
})

test('an old status from a stream that is catching up does not replace the newest', () => {
  const log = new FeedLog()
  log.poll({ status: 'waiting-manual', events: [], lastId: 40 })
  log.stream([event(1, 'status', 'running')])
  expect(log.view().status).toBe('waiting-manual')
  log.stream([event(41, 'status', 'running')])
  expect(log.view().status).toBe('running')
  log.poll({ status: 'waiting-manual', events: [], lastId: 40 })
  expect(log.view().status).toBe('running')
})

test('done ends it, with the status in capitals, even without an id', () => {
  for (const id of [3, undefined]) {
    const log = new FeedLog()
    log.stream([event(1, 'status', 'running'), event(2)])
    expect(log.view().hasEnded).toBe(false)
    log.stream([event(id, 'done', 'FAILED')])
    expect(log.view()).toMatchObject({ hasEnded: true, status: 'failed' })
  }
})

test('polling detects the end, too', () => {
  const log = new FeedLog()
  log.poll({ status: 'completed', events: lines(1, 2), lastId: 4 })
  expect(log.view()).toMatchObject({ hasEnded: true, status: 'completed' })
})

test('progress is not a line', () => {
  const log = new FeedLog()
  log.stream([event(1, 'progress', null, { stage: 'rows', percentage: 25, count: 1, total: 4 })])
  log.poll({ status: 'running', events: [event(3, 'progress', null, { count: 3, total: 4 })], lastId: 3 })
  log.stream([event(2, 'progress', null, { count: 2, total: 4 })])
  expect(log.view()).toMatchObject({ lines: [], progress: { count: 3, total: 4 } })
})

test('a message of the stream appears where it arrived; a restart clears everything before it', () => {
  const log = new FeedLog()
  log.stream(lines(1, 2))
  log.stream([event(undefined, 'error', null, { message: 'closed' }), event(undefined, 'error'), event(3)])
  expect(log.view().lines.map(({ level }) => level)).toEqual(['log', 'log', 'error', 'error', 'log'])
  expect(new Set(ids(log)).size).toBe(5)
  log.stream([
    event(undefined, 'log', null, { message: 'from the first one', data: { restart: true } }),
    ...lines(1, 2),
  ])
  expect(log.view().lines.map(({ text }) => text)).toEqual(['from the first one', 'line 1', 'line 2'])
})

test('parses an event from the wire', () => {
  const data = JSON.stringify({ stream: 'stderr', message: 'oh', loggedAt: AT, status: 'FAILED' })
  const payload = { stream: 'stderr', message: 'oh', loggedAt: AT }
  const sent = { id: '12', event: 'done', data, hasId: true }
  expect(readSentEvent(sent)).toEqual({ id: 12, kind: 'done', status: 'FAILED', payload })
  expect(readSentEvent({ ...sent, hasId: false })?.id).toBeUndefined()
  expect(readSentEvent({ ...sent, event: 'weather' })).toBeUndefined()
  expect(readSentEvent({ ...sent, data: '{"half' })).toBeUndefined()
})
