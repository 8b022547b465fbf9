import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import { automationEndpoints } from '#contract/admin/automation.ts'
import { authenticate } from '#server/features/people/accounts/sessions.ts'
import { type JobStreamOptions, JobStreams } from '#server/features/running/automation/open-job-streams.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { catchErrors } from '#server/platform/http/error-boundary.ts'
import { openHttp } from '#server/platform/http/fastify-app.ts'
import { mount } from '#server/platform/http/mount.ts'
import { serveOperations } from '#server/platform/http/operations.ts'
import { uploadRules } from '#server/platform/http/uploads.ts'
import { claimJob, type RunKey } from '#server/platform/jobs/claims.ts'
import { prepareJobQueues } from '#server/platform/jobs/deliveries.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobProgress, JobQueue } from '#server/platform/jobs/job-definition.ts'
import { appendEvents, type JobEvent } from '#server/platform/jobs/job-events.ts'
import { type Outcome, settleJob } from '#server/platform/jobs/outcomes.ts'
import { EventParser, type SentEvent } from '#web/api/event-stream.ts'
import type { TestApp } from './test-app.ts'

/* Streams of jobs over real sockets, with jobs whose every event the test writes itself. */

const queue: JobQueue<Record<string, never>> = {
  name: 'streamed',
  title: 'Streamed',
  payload: z.object({}).strict(),
  maxAttempts: 1,
  retryDelaySeconds: 1,
  resumable: false,
  timeoutSeconds: 600,
  concurrency: 1,
}

export type StreamServer = {
  readonly address: string
  readonly database: Database
  close(): Promise<void>
}

export type StreamServerOptions = {
  times?: JobStreamOptions['times']
  directUrl?: string
  databaseUrl?: string
}

/** An api process with nothing but the streams and its metrics, on connections of its own. The caller closes it; twice is once. */
export async function openStreamServer(
  app: TestApp,
  options: StreamServerOptions = {},
): Promise<StreamServer> {
  const url = options.databaseUrl ?? app.config.databaseUrl ?? ''
  const log = pino({ level: 'silent' })
  const database = openDatabase(url, { max: 10, applicationName: 'stream server', log })
  const { now } = app.clock
  const streams = new JobStreams(database.db, {
    directUrl: options.directUrl ?? url,
    log,
    now,
    ...(options.times && { times: options.times }),
  })
  const http = await openHttp({ log, trustedProxies: [] })
  catchErrors(http, { methodsAt: () => [], web: undefined })
  const operators = { open: true, token: undefined, networks: [], trustsProxies: false }
  serveOperations(http, { database, checks: {}, isStopping: () => false, version: 'v0', log, operators })
  http.addHook('preClose', () => streams.close())
  const { streamJob } = automationEndpoints
  mount(
    http,
    { streamJob },
    {
      streamJob: ({ params, actor, headers }) =>
        streams.open({ jobId: params.id, actor, lastEventId: headers['last-event-id'] }),
    },
    {
      db: database.db,
      authenticate: (token) => authenticate(database.db, token, { now: now(), adminsNeedFactor: false }),
      uploads: uploadRules(app.config.dataDir),
    },
  )
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= http.close().then(() => database.close())
    return closing
  }
  return { address: `http://127.0.0.1:${port}`, database, close }
}

export const streamPath = (jobId: string) => `/api/admin/automation/jobs/${jobId}/stream`

const declaring = new WeakMap<Database, Promise<void>>()

/** Once for each database: whoever declares queues waits in line for it. */
function declared(database: Database): Promise<void> {
  const found = declaring.get(database) ?? prepareJobQueues(database.pool, [queue])
  declaring.set(database, found)
  return found
}

/** A job that waits, in a queue that no worker looks at. */
export async function waitingJob({ database, db }: Pick<TestApp, 'database' | 'db'>): Promise<string> {
  await declared(database)
  return enqueueJob(db, { queue, payload: {} })
}

/** A running job; the test says what it does. */
export async function runningJob(app: Pick<TestApp, 'database' | 'db'>): Promise<RunKey> {
  const jobId = await waitingJob(app)
  const claim = await claimJob(app.db, jobId)
  if (!claim || claim === 'busy') throw new Error('the job could not be started')
  return { jobId, runNo: claim.runNo }
}

export const linesNumbered = (from: number, count: number): JobEvent[] =>
  Array.from({ length: count }, (_, n) => ({ kind: 'log', stream: 'stdout', message: `line ${from + n}` }))

export function say(
  { db }: Pick<TestApp, 'db'>,
  run: RunKey,
  events: readonly JobEvent[],
  { notify = true, progress }: { notify?: boolean; progress?: JobProgress } = {},
): Promise<void> {
  return appendEvents(db, run, { events, progress, notify })
}

export function settle({ db }: Pick<TestApp, 'db'>, { jobId }: RunKey, outcome: Outcome): Promise<void> {
  return db.transaction().execute((trx) => settleJob(trx, jobId, outcome))
}

export type RawReader = {
  readonly status: number
  readonly response: IncomingMessage
  readonly request: ClientRequest
  /** All that arrived so far. */
  text(): string
  events(): SentEvent[]
  /** Resolves when the server has ended the stream; false where the connection broke instead. */
  readonly ended: Promise<boolean>
  leave(): void
}

type Reading = {
  token: string | undefined
  lastEventId?: string
  method?: string
  headers?: Record<string, string>
}

/** Opens a stream by hand; pausing `response` makes it a reader who does not read. */
export async function readStream(server: StreamServer, jobId: string, reading: Reading): Promise<RawReader> {
  const { token, lastEventId, method = 'GET' } = reading
  const sent = request(server.address + streamPath(jobId), {
    method,
    agent: false,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      ...reading.headers,
    },
  })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  const events: SentEvent[] = []
  const parser = new EventParser()
  response.setEncoding('utf8')
  response.on('data', (piece: string) => {
    text += piece
    events.push(...parser.push(piece))
  })
  const ended = new Promise<boolean>((resolve) => {
    response.on('end', () => resolve(true))
    response.on('error', () => resolve(false))
    response.on('close', () => resolve(response.complete))
  })
  return {
    status: response.statusCode ?? 0,
    response,
    request: sent,
    text: () => text,
    events: () => events,
    ended,
    leave: () => void sent.destroy(),
  }
}

export const dataOf = ({ data }: SentEvent) => JSON.parse(data) as Record<string, unknown>
export const numbersOf = (events: readonly SentEvent[]) =>
  events.filter(({ hasId }) => hasId).map(({ id }) => Number(id))
/** "log: line 1", "done: completed". */
export const toldBy = (events: readonly SentEvent[]) =>
  events.map((one) => `${one.event}: ${dataOf(one).message}`)
export const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1)

export function untilEvents(reader: RawReader, count: number, timeout = 5_000): Promise<void> {
  return vi.waitFor(() => expect(reader.events().length).toBeGreaterThanOrEqual(count), {
    timeout,
    interval: 10,
  })
}
