import { type CsvReply, type ImportRecord, importEndpoints } from '#contract/imports.ts'
import { call, upload } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { currentSession } from '#web/api/session.ts'
import { dryRunCollector } from './dry-run-result.ts'
import { beginRun, endRun, type KeptRun, keepRun } from './import-memory.ts'
import type { RunOrder, RunOutcome, RunProgress } from './import-run.ts'
import type { PauseSwitch } from './pause-switch.ts'
import { sendPatiently } from './send-patiently.ts'
import { type Chunk, uploadChunks } from './upload-chunks.ts'

type Course = {
  signal: AbortSignal
  pause: PauseSwitch
  show: (change: Partial<RunProgress>) => void
}

/**
 * Sends the file and answers what came of it. A run that was cut off, here or before a reload, goes on under its key;
 * where the server knows that key for something else by now, it starts over with a new one.
 */
export async function runImport(order: RunOrder, course: Course): Promise<RunOutcome> {
  const content = contentOf(order)
  const kept = beginRun(content)
  try {
    return await sendAll(order, kept, course)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // It was withdrawn meanwhile, perhaps in another tab: not against that will, but the next press begins anew.
    if (error.code === 'CONFLICT') endRun(kept)
    if (error.code !== 'KEY_REUSED') throw error
    endRun(kept)
    course.show({ rows: 0, bytes: 0 })
    return await sendAll(order, beginRun(content), course)
  }
}

/** What makes two runs the same. A file that was saved again has another time. */
function contentOf({ file: { file }, mapping, defaults, mode, dryRun }: RunOrder): string {
  const { name, size, lastModified } = file
  const sorted = (entries: object) => Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([name, size, lastModified, sorted(mapping), sorted(defaults), mode, dryRun])
}

async function sendAll(order: RunOrder, run: KeptRun, course: Course): Promise<RunOutcome> {
  const before = run.importId === undefined ? undefined : await readBefore(run.importId, course.signal)
  if (before?.state === 'withdrawn') {
    endRun(run)
    return sendAll(order, beginRun(contentOf(order)), course)
  }
  if (before !== undefined && !['receiving', 'abandoned'].includes(before.state)) {
    endRun(run)
    return { step: 'sent', importId: before.id }
  }
  const checked = dryRunCollector()
  const done = { rows: 0, bytes: 0 }
  let importId = run.importId
  const take = (chunk: Chunk, reply: CsvReply | undefined) => {
    done.rows += chunk.records
    done.bytes += chunk.bytes
    course.show(done)
    if (reply === undefined) return
    if ('preview' in reply) checked.add(chunk, reply)
    else if (importId === undefined) {
      importId = reply.importId
      keepRun({ ...run, importId })
    }
  }
  const firstMissing = before?.missingChunks[0] ?? 0
  await uploadChunks({
    file: order.file,
    signal: course.signal,
    untilMayGoOn: course.pause.untilGo,
    send: async (chunk, signal) =>
      take(
        chunk,
        chunk.index < firstMissing ? undefined : await sendChunk({ order, run, chunk, signal, course }),
      ),
  })
  endRun(run)
  if (order.dryRun) return { step: 'checked', order, result: checked.result() }
  if (importId === undefined) throw new Error('No chunk told which import it belongs to')
  return { step: 'sent', importId }
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

type Piece = { order: RunOrder; run: KeptRun; chunk: Chunk; signal: AbortSignal; course: Course }

async function sendChunk({ order, run, chunk, signal, course }: Piece): Promise<CsvReply> {
  const { file, mapping, defaults, mode, dryRun } = order
  const content = await chunk.content()
  const send = () =>
    upload(importEndpoints.importCsv, {
      query: { dryRun: dryRun ? '1' : '0' },
      body: {
        mapping: JSON.stringify(mapping),
        defaults: JSON.stringify(defaults),
        mode,
        chunkIndex: String(chunk.index),
        chunkCount: String(file.chunkCount),
        idempotencyKey: run.key,
      },
      file: content,
      fileName: file.file.name,
      headers: previewHeaders(),
      signal,
    })
  return sendPatiently(send, { signal, onWait: (seconds) => course.show({ waiting: seconds !== undefined }) })
}

/** An administrator without the plan looks at what sellers see; the server lets that check, never import. */
function previewHeaders(): Record<string, string> {
  const { user } = currentSession()
  return user?.role === 1 && user.sellerTier !== 'PAID' ? { 'x-admin-preview': '1' } : {}
}
