import { type CsvReply, type ImportRecord, importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import {
  beginRun,
  endRun,
  type KeptRun,
  keepRun,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/import-memory.ts'
import { fileRecords } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/file-records.ts'
import { dryRunCollector } from './dry-run-result.ts'
import { type Chunk, countChunks, fileChunks } from './file-chunks.ts'
import type { RunOrder, RunOutcome } from './import-run.ts'
import type { PauseSwitch } from './pause-switch.ts'
import { runContent } from './run-content.ts'
import type { RunCourse } from './run-course.ts'
import { sendChunk } from './send-chunk.ts'
import { uploadChunks } from './upload-chunks.ts'

type Running = { signal: AbortSignal; pause: PauseSwitch; course: RunCourse }

/**
 * Sends the file and answers what came of it. A run that was cut off, here or before a reload, goes on under its key;
 * where the server knows that key for something else by now, it starts over with a new one.
 */
export async function runImport(order: RunOrder, running: Running): Promise<RunOutcome> {
  const content = runContent(order)
  const kept = beginRun(content)
  try {
    return await sendAll(order, kept, running)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // It was withdrawn meanwhile, perhaps in another tab: not against that will, but the next press begins anew.
    if (error.code === 'WITHDRAWN') endRun(kept)
    if (error.code !== 'KEY_REUSED') throw error
    endRun(kept)
    return await sendAll(order, beginRun(content), running)
  }
}

async function sendAll(order: RunOrder, run: KeptRun, running: Running): Promise<RunOutcome> {
  const { signal, pause, course } = running
  const before = run.importId === undefined ? undefined : await readBefore(run.importId, signal)
  if (before?.state === 'withdrawn') {
    endRun(run)
    return sendAll(order, beginRun(runContent(order)), running)
  }
  if (before !== undefined && !['receiving', 'abandoned'].includes(before.state)) {
    endRun(run)
    return { step: 'sent', order, importId: before.id, reply: undefined }
  }
  const rows = () => fileRecords(order.file, signal)
  const chunkCount = before?.chunkCount ?? (await countChunks(order, rows))
  course.begin(chunkCount)
  const replies = replyCollector(order, run, before?.id)
  const isMissing = missingIn(before)
  await uploadChunks({
    chunks: fileChunks(order, rows()),
    concurrency: order.concurrency,
    signal,
    untilMayGoOn: pause.untilGo,
    async send(chunk, ended) {
      if (isMissing(chunk.index)) {
        const piece = { order, key: run.key, chunk, chunkCount, course }
        replies.take(chunk, await sendChunk(piece, ended))
      }
      course.done(chunk)
    },
  })
  const outcome = replies.outcome()
  endRun(run)
  return outcome
}

/** The import that this run began before, if there still is one. */
async function readBefore(id: string, signal: AbortSignal): Promise<ImportRecord | undefined> {
  try {
    return await call(importEndpoints.readImport, { params: { id }, signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** Whether the server lacks a chunk; of an import that it does not know all of them. */
function missingIn(before: ImportRecord | undefined): (chunk: number) => boolean {
  if (!before) return () => true
  return (chunk) => before.missing.some(({ from, to }) => chunk >= from && chunk <= to)
}

/**
 * Puts together the replies to the chunks. `known` is the import that goes on; the id kept with the run does not count,
 * since that import may be gone.
 */
function replyCollector(order: RunOrder, run: KeptRun, known: string | undefined) {
  const checked = dryRunCollector()
  let importId = known
  let staged: Extract<CsvReply, { stagingRef: string }> | undefined
  return {
    take(chunk: Chunk, reply: CsvReply): void {
      if ('preview' in reply) {
        const { headerRow } = order.file.reading
        checked.add({ index: chunk.index, rowShift: chunk.firstRow - 1 - headerRow }, reply)
        return
      }
      if ('stagingRef' in reply) staged = reply
      if (importId !== undefined) return
      importId = reply.importId
      keepRun({ ...run, importId })
    },
    outcome(): RunOutcome {
      if (order.dryRun) return { step: 'checked', order, result: checked.result() }
      if (importId === undefined) throw new Error('No chunk told which import it belongs to')
      return { step: 'sent', order, importId, reply: staged }
    },
  }
}
