import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { JobDetail } from '#contract/admin/automation.ts'
import type { StreamPhase } from '#web/api/event-stream.ts'
import { ApiError } from '#web/api/failures.ts'
import { type FeedEnvironment, JobFeed } from './job-feed.ts'

type Handlers = Parameters<FeedEnvironment['makeStream']>[0]

const AT = '2026-05-04T10:00:00.000Z'
const refusal = (status: number, retryAfter?: string) =>
  new ApiError(
    new Response(null, { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } }),
    { error: 'No.' },
  )

const line = (id: number) => ({
  id,
  kind: 'log' as const,
  status: null,
  message: `line ${id}`,
  payload: { stream: 'stdout', message: `line ${id}`, loggedAt: AT },
})

/** A page whose stream, record and visibility the test controls. */
function page() {
  let handlers: Handlers | undefined
  let visibility = () => {}
  const calls: string[] = []
  const frames: (() => void)[] = []
  const state = { hidden: false, answer: (): Partial<JobDetail> => ({ status: 'running', events: [] }) }
  const feed = new JobFeed({
    makeStream: (given) => {
      handlers = given
      return {
        open: () => calls.push('open'),
        pause: () => calls.push('pause'),
        close: () => calls.push('close'),
      }
    },
    readJob: async () => {
      calls.push('poll')
      const job = { events: [], ...state.answer() }
      return { ...job, _count: { events: job.events.at(-1)?.id ?? 0, artifacts: 0 } } as unknown as JobDetail
    },
    onNextFrame: (paint) => frames.push(paint),
    isHidden: () => state.hidden,
    onVisibility: (changed) => {
      visibility = changed
      return () => {}
    },
  })
  const view = () => {
    for (const paint of frames.splice(0)) paint()
    return feed.view()
  }
  return {
    feed,
    calls,
    frames,
    state,
    view,
    polls: () => calls.filter((call) => call === 'poll').length,
    phase: (phase: StreamPhase) => handlers?.onPhase(phase),
    send: (id: number, event = 'log', status?: string) =>
      handlers?.onEvents([
        { id: String(id), hasId: true, event, data: JSON.stringify({ ...line(id).payload, status }) },
      ]),
    look: (hidden: boolean) => {
      state.hidden = hidden
      visibility()
    },
  }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('says that the stream could not be opened, and goes on trying', async () => {
  const { feed, view, phase, send, polls } = page()
  feed.open()
  phase({ name: 'connecting' })
  expect(view().notOpened).toBe(false)
  phase({ name: 'broken' } as StreamPhase)
  expect([view().notOpened, view().state]).toEqual([true, 'connecting'])
  await pass(3_100)
  expect([view().state, polls()]).toEqual(['polling', 1])
  phase({ name: 'open' })
  send(1)
  expect([view().notOpened, view().state]).toEqual([true, 'streaming'])
})

test('a stream that breaks after it was open did open', () => {
  const { feed, view, phase } = page()
  feed.open()
  phase({ name: 'open' })
  phase({ name: 'broken' } as StreamPhase)
  expect(view().notOpened).toBe(false)
})

test('polls the job every 3 s until the first message arrives', async () => {
  const { feed, view, polls, phase, send } = page()
  feed.open()
  phase({ name: 'connecting' })
  phase({ name: 'open' })
  await pass(2_900)
  expect([view().state, polls()]).toEqual(['connecting', 0])
  await pass(6_200)
  expect([view().state, polls()]).toEqual(['polling', 3])
  send(1, 'status', 'running')
  await pass(30_000)
  expect([view().state, view().status, polls()]).toEqual(['streaming', 'running', 3])
})

test('polling replaces a broken stream until it is back, and each line is shown once', async () => {
  const { feed, state, view, polls, phase, send } = page()
  feed.open()
  send(1)
  phase({ name: 'broken' })
  phase({ name: 'connecting' })
  expect(view().state).toBe('connecting')
  state.answer = () => ({ status: 'running', events: [line(1), line(2), line(3)] })
  await pass(3_100)
  phase({ name: 'broken' })
  expect([view().state, polls()]).toEqual(['polling', 1])
  expect(view().lines.map(({ id }) => id)).toEqual([1, 2, 3])
  phase({ name: 'open' })
  send(2)
  send(3)
  send(4)
  await pass(30_000)
  expect([view().state, polls()]).toEqual(['streaming', 1])
  expect(view().lines.map(({ id }) => id)).toEqual([1, 2, 3, 4])
})

test.each(['completed', 'failed', 'cancelled'] as const)(
  'polling stops when the job is %s',
  async (status) => {
    const { feed, state, view, polls } = page()
    feed.open()
    state.answer = () => ({ status, events: [line(1)] })
    await pass(30_000)
    expect([view().state, view().status, polls()]).toEqual(['ended', status, 1])
  },
)

test('done ends it, whatever happens to the connection afterwards', async () => {
  const { feed, view, polls, phase, send } = page()
  feed.open()
  send(1)
  send(2, 'done', 'COMPLETED')
  phase({ name: 'ended' })
  phase({ name: 'broken' })
  await pass(30_000)
  expect([view().state, view().status, view().hasEnded, polls()]).toEqual(['ended', 'completed', true, 0])
})

test('signed out or not allowed, it fails permanently and keeps the error', async () => {
  const { feed, calls, view, phase, polls } = page()
  feed.open()
  await pass(3_100)
  phase({ name: 'failed', error: refusal(403) })
  await pass(30_000)
  expect([view().state, view().error?.message, polls()]).toEqual(['failed', 'No.', 1])
  expect(calls.at(-1)).toBe('close')
})

test('polling also stops at a permanent refusal, and respects Retry-After', async () => {
  const { feed, state, view, polls } = page()
  feed.open()
  state.answer = () => {
    throw refusal(429, '20')
  }
  await pass(3_100)
  await pass(19_000)
  expect(polls()).toBe(1)
  state.answer = () => {
    throw refusal(404)
  }
  await pass(60_000)
  expect([polls(), view().state]).toEqual([2, 'failed'])
})

test('a hidden page requests nothing; visible again, it catches up once', async () => {
  const { feed, calls, view, polls, look, phase } = page()
  feed.open()
  await pass(3_100)
  phase({ name: 'broken' })
  look(true)
  await pass(10 * 60_000)
  expect([polls(), calls.at(-1)]).toEqual([1, 'pause'])
  look(false)
  await pass(100)
  expect(calls.slice(-2)).toEqual(['open', 'poll'])
  await pass(2_500)
  expect([polls(), view().state]).toEqual([2, 'polling'])
})

test('opened in a hidden page, it starts when the page is visible', async () => {
  const { feed, state, calls, look } = page()
  state.hidden = true
  feed.open()
  await pass(30_000)
  expect(calls).toEqual([])
  look(false)
  expect(calls).toEqual(['open'])
})

test('closed, it keeps its lines, and follows again when reopened', async () => {
  const { feed, view, send, calls, polls } = page()
  feed.open()
  send(1)
  feed.close()
  await pass(30_000)
  expect([view().lines.length, polls(), calls.at(-1)]).toEqual([1, 0, 'close'])
  feed.open()
  expect([view().state, calls.at(-1)]).toEqual(['connecting', 'open'])
})

test('notifies listeners once per frame, however many events arrive', () => {
  const { feed, view, send, frames } = page()
  let heard = 0
  feed.subscribe(() => {
    heard += 1
  })
  feed.open()
  for (let id = 1; id <= 5_000; id += 1) send(id)
  expect(frames.length).toBe(1)
  expect(view().lines.length).toBe(5_000)
  expect(heard).toBe(1)
})

test('an outage is reported until the server responds again', async () => {
  const { feed, state, view, phase, send } = page()
  feed.open()
  send(1, 'status', 'running')
  phase({ name: 'broken' })
  state.answer = () => {
    throw new TypeError('Failed to fetch')
  }
  await pass(3_100)
  expect(view().state).toBe('offline')
  await pass(3_000)
  expect(view().state).toBe('offline')
  state.answer = () => ({ status: 'running' })
  await pass(3_100)
  expect(view().state).toBe('polling')
})
