import { type CsvReply, importEndpoints } from '#contract/imports.ts'
import { upload } from '#web/api/client.ts'
import { ApiError, NetworkError } from '#web/api/failures.ts'
import { currentSession } from '#web/api/session.ts'
import { type Chunk, sentReading } from './file-chunks.ts'
import type { RunOrder, WaitsFor } from './import-run.ts'
import type { RunCourse } from './run-course.ts'

type Piece = { order: RunOrder; key: string; chunk: Chunk; chunkCount: number; course: RunCourse }

/** Sends one chunk until it is in, and answers what the server said of it. */
export async function sendChunk(
  { order, key, chunk, chunkCount, course }: Piece,
  signal: AbortSignal,
): Promise<CsvReply> {
  const { file, mapping, defaults, mode, dryRun, staging } = order
  const content = await chunk.content()
  const body = {
    // Never a template's id: it may be changed or deleted while the file goes in.
    mapping: JSON.stringify(mapping),
    defaults: JSON.stringify(defaults),
    reading: JSON.stringify(sentReading(order)),
    staging: JSON.stringify(staging),
    mode,
    chunkIndex: String(chunk.index),
    chunkCount: String(chunkCount),
    idempotencyKey: key,
  }
  const send = async () => {
    const reply = await upload(importEndpoints.importCsv, {
      query: { dryRun: dryRun ? '1' : '0' },
      body,
      file: content,
      fileName: file.file.name,
      headers: previewHeaders(),
      signal,
    })
    // An answer that does not say ok is none (spec, section 8).
    if (!reply?.ok || 'preview' in reply !== dryRun) throw new Error('The answer is not one of an import')
    return reply
  }
  course.uploading(chunk)
  try {
    return await sendPatiently(send, { signal, onWait: (waitsFor) => course.waits(chunk, waitsFor) })
  } catch (error) {
    // Those that end with another one's failure are not at fault.
    if (!signal.aborted) course.failed(chunk)
    throw error
  }
}

/** An administrator without the plan looks at what sellers see; the server lets that check, never import. */
function previewHeaders(): Record<string, string> {
  const { user } = currentSession()
  return user?.role === 1 && user.sellerTier !== 'PAID' ? { 'x-admin-preview': '1' } : {}
}

/**
 * With the waits below a server that restarts is sat out, and a connection that is down for an hour; while the device knows
 * that it is offline, for as long as it is.
 */
const MOST_ATTEMPTS = { server: 8, network: 180 }
const LONGEST_WAIT_SECONDS = 20
/** A proxy in front of a server that restarts answers these; 503 also means that the piece is being worked on. */
const passingStatuses = [502, 503, 504]

type Patience = {
  signal: AbortSignal
  /** While it waits to try again, and `nobody` when it does. */
  onWait: (waitsFor: WaitsFor) => void
  sleep?: (seconds: number, signal: AbortSignal) => Promise<void>
}

/** Sends until it is answered, or refused for good. What is sent must be safe to send twice. */
export async function sendPatiently<A>(
  send: () => Promise<A>,
  { signal, onWait, sleep = sleepFor }: Patience,
): Promise<A> {
  const attempts = { network: 0, server: 0 }
  for (;;) {
    try {
      return await send()
    } catch (error) {
      signal.throwIfAborted()
      const waitsFor = error instanceof NetworkError ? 'network' : 'server'
      const attempt = ++attempts[waitsFor]
      if (attempt >= MOST_ATTEMPTS[waitsFor] || !passes(error)) throw error
      onWait(waitsFor)
      await sleepOnline(() => sleep(waitAfter(error, attempt), signal))
      onWait('nobody')
    }
  }
}

/** Once at least; a device that knows that it is offline need not try. */
async function sleepOnline(sleep: () => Promise<void>): Promise<void> {
  do await sleep()
  while (typeof navigator !== 'undefined' && navigator.onLine === false)
}

/** Whether trying again may help. A long wait asked for is the person's to decide about, not ours. */
function passes(error: unknown): boolean {
  if (error instanceof NetworkError) return true
  if (!(error instanceof ApiError)) return false
  if (error.status === 429)
    return (error.retryAfterSeconds ?? Number.POSITIVE_INFINITY) <= LONGEST_WAIT_SECONDS
  return passingStatuses.includes(error.status)
}

function waitAfter(error: unknown, attempt: number): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined
  return Math.min(asked ?? 2 ** (attempt - 1), LONGEST_WAIT_SECONDS)
}

/** Ends early where the device is online again. */
function sleepFor(seconds: number, signal: AbortSignal): Promise<void> {
  // Several browsers that wait for one server do not all come back at the same moment.
  const milliseconds = seconds * 1_000 * (1 + Math.random() / 4)
  return new Promise((wake, refuse) => {
    const end = (then: () => void) => () => {
      clearTimeout(timer)
      removeEventListener('online', awake)
      signal.removeEventListener('abort', left)
      then()
    }
    const awake = end(wake)
    const left = end(() => refuse(signal.reason))
    const timer = setTimeout(awake, milliseconds)
    addEventListener('online', awake)
    signal.addEventListener('abort', left)
  })
}
