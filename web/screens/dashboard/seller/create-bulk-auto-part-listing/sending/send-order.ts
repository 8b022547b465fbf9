import { type CsvReply, type ImportRecord, importEndpoints, type StagedReply } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { fileRecords } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  beginRun,
  endRun,
  type KeptRun,
  keepRun,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-memory.ts'
import { type DryRunResult, dryRunCollector } from './dry-run-result.ts'
import { type Chunk, countChunks, fileChunks } from './file-chunks.ts'
import { orderContent, type RunOrder } from './run-order.ts'
import type { RunTracker } from './run-progress.ts'
import { sendChunk } from './send-chunk.ts'

export type RunOutcome =
  | { step: 'checked'; order: RunOrder; result: DryRunResult }
  /** `reply` is set if this page sent the last chunk; `order` is undefined if another tab sent the file. */
  | { step: 'sent'; order: RunOrder | undefined; importId: string; reply: StagedReply | undefined }

type Running = { signal: AbortSignal; pause: PauseSwitch; tracker: RunTracker }

/**
 * Uploads the file and returns the outcome. An interrupted run resumes under its key. If the server already used that key
 * for different content, the run starts over with a new one.
 */
export async function sendOrder(order: RunOrder, running: Running): Promise<RunOutcome> {
  const content = orderContent(order)
  const kept = beginRun(content)
  try {
    return await sendAll(order, kept, running)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Withdrawn meanwhile, maybe in another tab. Stop here; the next click starts a new run.
    // A refused run starts over, too, once its questions are answered: nothing of it was staged.
    if (error.code === 'WITHDRAWN' || error.code === 'ANSWER_NEEDED') endRun(kept)
    if (error.code !== 'KEY_REUSED') throw error
    endRun(kept)
    return await sendAll(order, beginRun(content), running)
  }
}

async function sendAll(order: RunOrder, run: KeptRun, running: Running): Promise<RunOutcome> {
  const { signal, pause, tracker } = running
  const before = run.importId === undefined ? undefined : await readBefore(run.importId, signal)
  if (before?.state === 'withdrawn') {
    endRun(run)
    return sendAll(order, beginRun(orderContent(order)), running)
  }
  if (before !== undefined && !['receiving', 'abandoned'].includes(before.state)) {
    endRun(run)
    return { step: 'sent', order, importId: before.id, reply: undefined }
  }
  const rows = () => fileRecords(order.file, signal)
  const chunkCount = before?.chunkCount ?? (await countChunks(order, rows))
  tracker.begin(chunkCount)
  const replies = replyCollector(order, run, before?.id)
  const isMissing = (chunk: number) =>
    before === undefined || before.missing.some(({ from, to }) => chunk >= from && chunk <= to)
  await uploadChunks({
    chunks: fileChunks(order, rows()),
    concurrency: order.concurrency,
    signal,
    untilMayGoOn: pause.untilGo,
    async send(chunk, ended) {
      if (isMissing(chunk.index)) {
        replies.take(chunk, await sendChunk({ order, key: run.key, chunk, chunkCount, tracker }, ended))
      }
      tracker.done(chunk)
    },
  })
  const outcome = replies.outcome()
  endRun(run)
  return outcome
}

/** The import this run started earlier, if it still exists. */
async function readBefore(id: string, signal: AbortSignal): Promise<ImportRecord | undefined> {
  try {
    return await call(importEndpoints.readImport, { params: { id }, signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** Combines the chunk replies. `known` is the resumed import; the id stored with the run may be of a deleted import. */
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
      if (importId === undefined) throw new Error('No reply contained an import id')
      return { step: 'sent', order, importId, reply: staged }
    },
  }
}

type Upload = {
  chunks: AsyncGenerator<Chunk, undefined>
  concurrency: number
  send: (chunk: Chunk, signal: AbortSignal) => Promise<void>
  /** Resolves immediately, or when a pause ends. */
  untilMayGoOn: () => Promise<void>
  signal: AbortSignal
}

/** Sends all chunks, `concurrency` at a time. The first failure aborts the rest and is thrown. */
export async function uploadChunks({
  chunks,
  concurrency,
  send,
  untilMayGoOn,
  signal,
}: Upload): Promise<void> {
  const failed = new AbortController()
  const ended = AbortSignal.any([signal, failed.signal])
  const work = async () => {
    for (;;) {
      await untilMayGoOn()
      ended.throwIfAborted()
      const { value: chunk, done } = await chunks.next()
      if (done) return
      await send(chunk, ended)
    }
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, work))
  } catch (error) {
    failed.abort(error)
    throw error
  } finally {
    // Not awaited: a worker may still be reading the next chunk.
    void chunks.return(undefined).catch(() => undefined)
  }
}

/** While paused, `untilGo` does not resolve. */
export function pauseSwitch() {
  let waiting: (() => void)[] | undefined

  return {
    set(paused: boolean): void {
      const held = waiting
      waiting = paused ? (held ?? []) : undefined
      if (!paused) for (const go of held ?? []) go()
    },
    untilGo: (): Promise<void> => new Promise((go) => (waiting ? waiting.push(go) : go())),
  }
}

type PauseSwitch = ReturnType<typeof pauseSwitch>
