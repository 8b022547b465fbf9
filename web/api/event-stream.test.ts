import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EventParser, EventStream, type StreamPhase } from './event-stream.ts'

type Answer =
  | { status?: number; headers?: Record<string, string>; pieces?: string[]; ends?: boolean }
  | 'no network'

const encoder = new TextEncoder()

function bodyOf({ pieces = [], ends = true }: Exclude<Answer, string>, signal: AbortSignal): ReadableStream {
  return new ReadableStream({
    start(body) {
      for (const piece of pieces) body.enqueue(encoder.encode(piece))
      if (ends) body.close()
      else signal.addEventListener('abort', () => body.error(signal.reason))
    },
  })
}

/** Gives one answer per call and repeats the last. Returns the Last-Event-ID of each call. */
function answerWith(answers: Answer[]): (string | undefined)[] {
  const asked: (string | undefined)[] = []
  vi.stubGlobal(
    'fetch',
    async (_address: string, init: { headers: Record<string, string>; signal: AbortSignal }) => {
      const answer = answers[Math.min(asked.length, answers.length - 1)]
      asked.push(init.headers['Last-Event-ID'])
      if (answer === undefined || answer === 'no network') throw new TypeError('Failed to fetch')
      const headers = { 'content-type': 'text/event-stream; charset=utf-8', ...answer.headers }
      return new Response(bodyOf(answer, init.signal), { status: answer.status ?? 200, headers })
    },
  )
  return asked
}

function openStream(pauseMs?: (failures: number) => number) {
  const got: string[] = []
  const phases: StreamPhase[] = []
  const stream = new EventStream({
    address: '/stream',
    headers: () => ({ Authorization: 'Bearer t' }),
    onEvents: (events) => got.push(...events.map(({ id, data }) => `${id} ${data}`)),
    onPhase: (phase) => phases.push(phase),
    isLast: ({ event }) => event === 'done',
    ...(pauseMs && { pauseMs }),
  })
  stream.open()
  const names = () => phases.map(({ name }) => name)
  return { stream, got, names, last: () => phases.at(-1) }
}

const log = (id: number) => `id: ${id}\nevent: log\ndata: line\n\n`
const done = (id: number) => `id: ${id}\nevent: done\ndata: end\n\n`
const refusal = (status: number, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  pieces: [JSON.stringify({ ok: false, error: 'No.', code: 'X' })],
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('it resumes after the last complete event, and ends for good with the final one', async () => {
  const asked = answerWith([
    { pieces: [':\n\n', log(1), 'id: 2\neve'] },
    'no network',
    { pieces: [log(2), 'id: 3\nevent: log\ndata: li'] },
    { pieces: [log(3), done(4)] },
  ])
  const { got, names } = openStream()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(got).toEqual(['1 line', '2 line', '3 line', '4 end'])
  expect(asked).toEqual([undefined, '1', '1', '2'])
  expect(names().filter((name) => name !== 'connecting')).toEqual([
    'open',
    'broken',
    'broken',
    'open',
    'broken',
    'open',
    'ended',
  ])
})

test.each([401, 403, 404])('%i ends it for good, with the server’s message', async (status) => {
  const asked = answerWith([{ pieces: [log(1)] }, refusal(status)])
  const { last } = openStream()
  await vi.advanceTimersByTimeAsync(300_000)
  expect(asked.length).toBe(2)
  expect(last()).toMatchObject({ name: 'failed', error: { status, message: 'No.' } })
})

test('429 waits as long as the server asks', async () => {
  const asked = answerWith([refusal(429, { 'retry-after': '30' })])
  openStream()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(asked.length).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(asked.length).toBe(2)
})

test.each<[string, Answer]>([
  ['no network', 'no network'],
  ['a server that is starting up', refusal(503)],
  ['a proxy’s HTML page', { headers: { 'content-type': 'text/html' }, pieces: ['<html>'] }],
  ['a connection that ends without an event', { pieces: [':\n\n'] }],
])('%s is retried with growing pauses', async (_what, answer) => {
  const asked = answerWith([answer])
  const { stream, names } = openStream()
  await vi.advanceTimersByTimeAsync(3_000)
  const soon = asked.length
  expect(soon).toBeGreaterThanOrEqual(3)
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(asked.length - soon).toBeLessThanOrEqual(65)
  expect(asked.length - soon).toBeGreaterThanOrEqual(25)
  expect(names()).not.toContain('failed')
  stream.close()
})

test('pauses start over after an event, and vary between tabs', async () => {
  const failures: number[] = []
  answerWith(['no network', 'no network', { pieces: [log(1)] }, 'no network'])
  const { stream } = openStream((count) => {
    failures.push(count)
    return 1_000
  })
  await vi.advanceTimersByTimeAsync(4_500)
  expect(failures).toEqual([0, 1, 0, 1, 2])
  stream.close()
})

test('a silent connection without even a heartbeat is abandoned', async () => {
  const asked = answerWith([{ pieces: [log(1)], ends: false }])
  const { stream, names } = openStream()
  await vi.advanceTimersByTimeAsync(39_000)
  expect(asked.length).toBe(1)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(asked).toEqual([undefined, '1'])
  expect(names()).toContain('broken')
  stream.close()
})

test('it makes no calls while paused, resumes when reopened, and reports nothing once closed', async () => {
  const asked = answerWith([{ pieces: [log(1)], ends: false }])
  const { stream, names } = openStream()
  await vi.advanceTimersByTimeAsync(100)
  stream.pause()
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect([asked.length, names().at(-1)]).toEqual([1, 'paused'])
  stream.open()
  stream.open()
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toEqual([undefined, '1'])
  const before = names().length
  stream.close()
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect([asked.length, names().length]).toEqual([2, before])
})

const read = (pieces: readonly string[]) => {
  const parser = new EventParser()
  return pieces.flatMap((piece) => parser.push(piece)).map(({ id, event, data }) => [id, event, data])
}

const cases: [what: string, sent: string, events: string[][]][] = [
  ['an event with every field', 'id: 7\nevent: log\ndata: {"a":1}\n\n', [['7', 'log', '{"a":1}']]],
  [
    'lines that end in CRLF',
    'id: 7\r\nevent: log\r\ndata: a\r\n\r\ndata: b\r\n\r\n',
    [
      ['7', 'log', 'a'],
      ['7', 'message', 'b'],
    ],
  ],
  [
    'lines that end in CR',
    'event: log\rdata: a\r\rdata: b\r\r',
    [
      ['', 'log', 'a'],
      ['', 'message', 'b'],
    ],
  ],
  ['data on several lines', 'data: one\ndata:\ndata: three\n\n', [['', 'message', 'one\n\nthree']]],
  [
    'comments and unknown fields',
    ': hello\n:\n\nretry: 10\nfoo: bar\ndata: a\n:\ndata: b\n\n',
    [['', 'message', 'a\nb']],
  ],
  ['a field without a colon', 'data\ndata\n\n', [['', 'message', '\n']]],
  [
    'only one space after the colon is removed',
    'data:a\n\ndata: a\n\ndata:  a\n\n',
    [
      ['', 'message', 'a'],
      ['', 'message', 'a'],
      ['', 'message', ' a'],
    ],
  ],
  [
    'an id stays until the next one',
    'id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n',
    [
      ['1', 'message', 'a'],
      ['1', 'message', 'b'],
      ['', 'message', 'c'],
    ],
  ],
  [
    'an id with NUL is ignored',
    'id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n',
    [
      ['1', 'message', 'a'],
      ['1', 'message', 'b'],
    ],
  ],
  ['an event without data is ignored', 'event: log\n\ndata: a\n\n', [['', 'message', 'a']]],
  ['an incomplete event', 'data: a\n\nid: 9\ndata: b\n', [['', 'message', 'a']]],
  ['only empty lines', '\n\n\n', []],
  ['characters of every kind', 'data: Größe ½ 漢字 🚗\n\n', [['', 'message', 'Größe ½ 漢字 🚗']]],
]

test.each(cases)('%s', (_what, sent, events) => {
  expect(read([sent])).toEqual(events)
})

test.each(cases)('%s, split at every position', (_what, sent, events) => {
  for (let cut = 0; cut <= sent.length; cut += 1) {
    expect(read([sent.slice(0, cut), '', sent.slice(cut)]), `cut at ${cut}`).toEqual(events)
  }
  expect(read([...sent])).toEqual(events)
})

test('an id counts only with its event, so a half-received event comes again', () => {
  const parser = new EventParser('4')
  expect(parser.push('id: 5\ndata: a\n\nid: 6\ndata: b').map(({ id, hasId }) => [id, hasId])).toEqual([
    ['5', true],
  ])
  expect(new EventParser('4').push('data: a\n\n').map(({ id, hasId }) => [id, hasId])).toEqual([['4', false]])
})
