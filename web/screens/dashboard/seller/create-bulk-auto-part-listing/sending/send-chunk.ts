import { type CsvReply, importEndpoints } from '#contract/imports.ts'
import { upload } from '#web/api/client.ts'
import { ApiError, NetworkError } from '#web/api/failures.ts'
import { currentSession } from '#web/api/session.ts'
import { type Chunk, sentReading } from './file-chunks.ts'
import type { RunOrder, WaitsFor } from './import-run.ts'
import type { RunCourse } from './run-course.ts'

type ChunkUpload = { order: RunOrder; key: string; chunk: Chunk; chunkCount: number; course: RunCourse }

/** Sends one chunk, retrying as needed, and returns the server's reply. */
export async function sendChunk(
  { order, key, chunk, chunkCount, course }: ChunkUpload,
  signal: AbortSignal,
): Promise<CsvReply> {
  const { file, mapping, defaults, mode, dryRun, staging } = order
  const content = await chunk.content()
  const body = {
    // Not a template id: the template may change or be deleted during the upload.
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
    // A reply without `ok` is a failure (spec, section 8).
    if (!reply?.ok || 'preview' in reply !== dryRun) throw new Error('Unexpected reply to an import chunk')
    return reply
  }
  course.uploading(chunk)
  try {
    return await sendPatiently(send, { signal, onWait: (waitsFor) => course.waits(chunk, waitsFor) })
  } catch (error) {
    // Chunks aborted by another chunk's failure have not failed themselves.
    if (!signal.aborted) course.failed(chunk)
    throw error
  }
}

/** Administrators without the plan preview the page. The server lets them check files, never import. */
function previewHeaders(): Record<string, string> {
  const { user } = currentSession()
  return user?.role === 1 && user.sellerTier !== 'PAID' ? { 'x-admin-preview': '1' } : {}
}

/** With the waits below, enough for a server restart or an hour without network. Time offline does not count. */
const MAX_ATTEMPTS = { server: 8, network: 180 }
const MAX_WAIT_SECONDS = 20
/** What a proxy returns while the server restarts. 503 also means the chunk is still being processed. */
const temporaryStatuses = [502, 503, 504]

type Patience = {
  signal: AbortSignal
  /** Called before waiting to retry, and with `nobody` afterwards. */
  onWait: (waitsFor: WaitsFor) => void
  sleep?: (seconds: number, signal: AbortSignal) => Promise<void>
}

/** Sends until there is a reply or a permanent error. The request must be safe to repeat. */
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
      if (attempt >= MAX_ATTEMPTS[waitsFor] || !isTemporary(error)) throw error
      onWait(waitsFor)
      await sleepOnline(() => sleep(waitAfter(error, attempt), signal))
      onWait('nobody')
    }
  }
}

/** Sleeps at least once, and for as long as the device is offline. */
async function sleepOnline(sleep: () => Promise<void>): Promise<void> {
  do await sleep()
  while (navigator.onLine === false)
}

/** Whether a retry may help. If the server asks for a long wait, the user decides. */
function isTemporary(error: unknown): boolean {
  if (error instanceof NetworkError) return true
  if (!(error instanceof ApiError)) return false
  if (error.status === 429) return (error.retryAfterSeconds ?? Number.POSITIVE_INFINITY) <= MAX_WAIT_SECONDS
  return temporaryStatuses.includes(error.status)
}

function waitAfter(error: unknown, attempt: number): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined
  return Math.min(asked ?? 2 ** (attempt - 1), MAX_WAIT_SECONDS)
}

/** Ends early when the device comes back online. */
function sleepFor(seconds: number, signal: AbortSignal): Promise<void> {
  // Jitter, so that waiting browsers don't all retry at the same moment.
  const milliseconds = seconds * 1_000 * (1 + Math.random() / 4)
  const ended = new AbortController()
  return new Promise<void>((wake, reject) => {
    setTimeout(wake, milliseconds)
    addEventListener('online', () => wake(), { signal: ended.signal })
    signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal })
  }).finally(() => ended.abort())
}
