import { type CsvReply, importEndpoints } from '#contract/imports.ts'
import { upload } from '#web/api/client.ts'
import { currentSession } from '#web/api/session.ts'
import { sentReading } from './chunk-text.ts'
import type { Chunk } from './file-chunks.ts'
import type { RunOrder } from './import-run.ts'
import type { RunCourse } from './run-course.ts'
import { sendPatiently } from './send-patiently.ts'

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
