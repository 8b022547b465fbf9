import { type CsvReply, type ImportRecord, importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { fileRecords } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/file-records.ts'
import {
  beginRun,
  endRun,
  type KeptRun,
  keepRun,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-memory.ts'
import { dryRunCollector } from './dry-run-result.ts'
import { type Chunk, countChunks, fileChunks } from './file-chunks.ts'
import type { RunOrder, RunOutcome } from './import-run.ts'
import type { RunCourse } from './run-course.ts'
import { sendChunk } from './send-chunk.ts'

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

type Upload = {
  chunks: AsyncGenerator<Chunk, undefined>
  /** As many are on their way at once. */
  concurrency: number
  send: (chunk: Chunk, signal: AbortSignal) => Promise<void>
  /** Resolves at once, or when a pause ends. */
  untilMayGoOn: () => Promise<void>
  signal: AbortSignal
}

/** Sends all chunks, a few at a time; the first failure ends the rest and is thrown. */
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
    // Without waiting: a worker may still be asking for the next one.
    void chunks.return(undefined).catch(() => undefined)
  }
}

/** What makes two runs the same, as a text. A file that was saved again has another time. */
export function runContent(order: RunOrder): string {
  const { file, mapping, defaults, mode, dryRun, chunkSize, edits, staging } = order
  const { name, size, lastModified } = file.file
  const sorted = (entries: object) => Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([
    [name, size, lastModified],
    [sorted(mapping), sorted(defaults), sorted(file.reading), file.decimals],
    [mode, dryRun, chunkSize, staging.sellerSlug, staging.datasetHint],
    edits.size === 0 ? '' : fingerprint(JSON.stringify([...edits].toSorted(([one], [other]) => one - other))),
  ])
}

/** Short, for texts that may be long; two of 32 bits make an accident no matter. */
function fingerprint(text: string): string {
  let one = 0x811c9dc5
  let other = 0xdeadbeef
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x9e3779b1)
    other ^= other >>> 15
  }
  return [one, other, text.length].map((part) => (part >>> 0).toString(36)).join('-')
}

/** Holds back whoever asks `untilGo` while it is on. */
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
