import { type CsvReply, importEndpoints } from '#contract/imports.ts'
import { upload } from '#web/api/client.ts'
import { sendPatiently } from '#web/api/patience.ts'
import { currentSession } from '#web/api/session.ts'
import { type Chunk, sentReading } from './file-chunks.ts'
import { noAnswers, type RunOrder } from './run-order.ts'
import type { RunTracker } from './run-progress.ts'

type ChunkUpload = { order: RunOrder; key: string; chunk: Chunk; chunkCount: number; tracker: RunTracker }

/** Sends one chunk, retrying as needed, and returns the server's reply. */
export async function sendChunk(
  { order, key, chunk, chunkCount, tracker }: ChunkUpload,
  signal: AbortSignal,
): Promise<CsvReply> {
  const {
    file,
    mapping,
    defaults,
    mode,
    dryRun,
    answers = noAnswers,
    suggested = [],
    staging,
    readAs,
  } = order
  const content = await chunk.content()
  const body = {
    // Not a template id: the template may change or be deleted during the upload.
    mapping: JSON.stringify(mapping),
    defaults: JSON.stringify(defaults),
    reading: JSON.stringify(sentReading(order)),
    staging: JSON.stringify(staging),
    mode,
    suggested: JSON.stringify(suggested),
    ...(readAs && { readAs: JSON.stringify(readAs) }),
    ...(Object.keys(answers).length > 0 && { answers: JSON.stringify(answers) }),
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
    // A reply without `ok` is a failure.
    if (!reply?.ok || 'preview' in reply !== dryRun) throw new Error('Unexpected reply to an import chunk')
    return reply
  }
  tracker.uploading(chunk)
  try {
    return await sendPatiently(send, { signal, onWait: (waitsFor) => tracker.waits(chunk, waitsFor) })
  } catch (error) {
    // Chunks aborted by another chunk's failure have not failed themselves.
    if (!signal.aborted) tracker.failed(chunk)
    throw error
  }
}

/** Administrators without the plan preview the page. The server lets them check files, never import. */
function previewHeaders(): Record<string, string> {
  const { user } = currentSession()
  return user?.role === 1 && user.sellerTier !== 'PAID' ? { 'x-admin-preview': '1' } : {}
}
