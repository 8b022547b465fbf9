import { z } from 'zod'
import type { Json, JsonValue } from '#db/schema.gen.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { findJobAuthor } from '#server/platform/jobs/enqueue-job.ts'
import {
  inOrder,
  type RecordRange,
  ScriptRefusal,
  type ScriptRun,
} from '#server/platform/scripts/script-program.ts'
import { readSegmentLines, type Segment, segmentKey, storeSegment } from './segments.ts'
import {
  findStagingFile,
  insertVersion,
  listSegments,
  lockStagingFile,
  type StagingFile,
} from './staged-files.ts'
import {
  type Fields,
  fromSegmentLine,
  type StagedRecord,
  toSegmentLine,
  withFollowingTexts,
} from './staged-record.ts'

const state = z.json() as z.ZodType<JsonValue>

const inProgress = z.object({
  fileId: z.string(),
  /** The version being rewritten. */
  version: z.int(),
  /** The row to resume from, counted from 0. */
  next: z.int().min(0),
  /** Replaced segments: place, hash, rows, bytes. `sweep-imports` keeps these. */
  replaced: z.array(z.tuple([z.int(), z.string(), z.int(), z.number()])),
  state,
})

const saved = z.object({
  saved: z.object({ version: z.int(), isNew: z.boolean(), state, stopped: z.string().optional() }),
})

/** How far a rewrite got, or its result once it finished. */
type RewriteCheckpoint = z.output<typeof inProgress>
type Saved = z.output<typeof saved>['saved']

/** Undefined at the start, or for an unreadable checkpoint. */
function readCheckpoint(checkpoint: Json | null): RewriteCheckpoint | { saved: Saved } | undefined {
  const read = z.union([saved, inProgress]).safeParse(checkpoint)
  return read.success ? read.data : undefined
}

export const replacementsOf = (replaced: ReadonlyMap<number, Segment>): RewriteCheckpoint['replaced'] =>
  [...replaced].map(([place, { sha256, rows, bytes }]) => [place, sha256, rows, bytes])

const readReplacements = (replaced: RewriteCheckpoint['replaced']): Map<number, Segment> =>
  new Map(replaced.map(([place, sha256, rows, bytes]) => [place, { sha256, rows, bytes }]))

/** A segment in memory whose lines can be changed. */
type OpenSegment = {
  readonly place: number
  readonly lines: string[]
  bytes: number
  /** Whether it has changes that are not stored yet. */
  isChanged: boolean
}

async function changeRow(
  db: Db,
  { segment, at, record }: OpenRow,
  fields: StagedRecord['fields'],
): Promise<void> {
  const after = toSegmentLine({ ...record, fields: await withFollowingTexts(db, record.fields, fields) })
  segment.lines[at] = after.line
  segment.bytes += after.bytes - toSegmentLine(record).bytes
  segment.isChanged = true
}

type OpenRow = {
  /** Counted from 0, in the file. */
  readonly rowNo: number
  readonly record: StagedRecord
  readonly segment: OpenSegment
  /** Its line in the segment. */
  readonly at: number
  /** Whether it is the last row of its segment in the range. */
  readonly endsSegment: boolean
}

/** The rows of a range, a segment at a time; each refers to its open segment, where it can be changed. */
async function* openRows(
  files: FileStore,
  segments: readonly Segment[],
  { from, to }: { from: number; to: number },
): AsyncGenerator<OpenRow> {
  let first = 0
  for (const [place, { sha256, rows, bytes }] of segments.entries()) {
    if (first >= to) return
    const [start, end] = [Math.max(from - first, 0), Math.min(to - first, rows)]
    if (start < end) {
      const lines = await readSegmentLines(files, sha256)
      const segment: OpenSegment = { place, lines, bytes, isChanged: false }
      for (let at = start; at < end; at += 1) {
        const record = fromSegmentLine(lines[at] ?? '')
        yield { rowNo: first + at, record, segment, at, endsSegment: at === end - 1 }
      }
    }
    first += rows
  }
}

/** What a rewrite needs from a script's run. */
export type RewriteRun = Pick<
  ScriptRun<unknown>,
  'jobId' | 'source' | 'checkpoint' | 'signal' | 'db' | 'files' | 'progress' | 'saveCheckpoint' | 'withFence'
>

export type Rewrite<Outcome> = {
  /** The new version's message: the script's name. */
  readonly message: string
  /** Fields that records may have afterwards. */
  readonly columns: readonly string[]
  /** The rows to work on, given the row count. */
  readonly range: (rows: number) => RecordRange
  /** How many records are processed concurrently. */
  readonly concurrent: number
  /** Runs everything but writes nothing. */
  readonly dryRun: boolean
  /** Called once the file is found; `state` is that of an interrupted run on the same version. */
  readonly begin: (file: StagingFile, state: JsonValue | undefined) => Promise<RecordWork<Outcome>>
}

type RecordWork<Outcome> = {
  /** Processes a record, concurrently with others. An exception ends the script, and nothing is saved. */
  prepare(row: OpenRow): Promise<Outcome>
  /**
   * Receives the outcomes in row order. Returns all fields of the new row, or undefined to leave it unchanged.
   * `stop` ends the work at this row; what was written before it is saved.
   */
  take(outcome: Outcome, row: OpenRow): { readonly fields: Fields } | { readonly stop: string } | undefined
  /** What a resumed run needs, such as counts. */
  state(): JsonValue
}

/** `version` is the current one; a new one if something changed. `stopped`: why the work ended early. */
export type Rewritten = Saved

// A language model takes minutes for a segment, and its output was paid for.
const KEEP_MS = 5_000

/**
 * Rewrites records of the staged file that a script was started with. Only segments with a change are stored again, and
 * all changes become one new version at the end. At most two segments are in memory. A run after a lost worker resumes
 * from the last checkpoint. If the file was changed in the meantime, nothing is saved.
 * @throws ScriptRefusal if the file does not exist, was changed by someone else, or an earlier run's segments are gone;
 *   AppError STORAGE_FULL, BUSY
 */
export async function rewriteStagedFile<Outcome>(
  run: RewriteRun,
  rewrite: Rewrite<Outcome>,
): Promise<Rewritten> {
  const kept = readCheckpoint(run.checkpoint)
  if (kept && 'saved' in kept) return kept.saved
  const file = await findSource(run)
  if (kept && (kept.fileId !== file.id || kept.version !== file.version)) throw changedByOthers(file)
  const work = await rewrite.begin(file, kept?.state)
  const rewriting = new Rewriting(run, { rewrite, file, work, kept })
  return rewriting.finish(await rewriting.rewriteRows())
}

async function findSource({ db, source }: RewriteRun): Promise<StagingFile> {
  if (!source) throw new ScriptRefusal('Select or load a staging file path first.')
  const file = await findStagingFile(db, source.root, source.path)
  if (!file) throw new ScriptRefusal(`There is no staged file ${source.path} in ${source.root}.`)
  return file
}

const changedByOthers = ({ path }: StagingFile) =>
  new ScriptRefusal(
    `${path} was changed by someone else in the meantime, so nothing was saved. Run the script again on the current file.`,
  )

const lostSegment = ({ path }: StagingFile, place: number, { sha256 }: Segment) =>
  new ScriptRefusal(
    `Segment ${place + 1} of ${path}, rewritten by an earlier run of this job, is missing from the file store (${sha256}), so nothing was saved. Run the script again on the current file.`,
  )

type Task<Outcome> = {
  readonly rewrite: Rewrite<Outcome>
  readonly file: StagingFile
  readonly work: RecordWork<Outcome>
  readonly kept: RewriteCheckpoint | undefined
}

class Rewriting<Outcome> {
  readonly #run: RewriteRun
  readonly #task: Task<Outcome>
  readonly #replaced: Map<number, Segment>
  #next: number
  #open: OpenSegment | undefined
  #keptAt = performance.now()

  constructor(run: RewriteRun, task: Task<Outcome>) {
    this.#run = run
    this.#task = task
    this.#replaced = readReplacements(task.kept?.replaced ?? [])
    this.#next = task.kept?.next ?? 0
  }

  /** Returns why the work stopped early, if it did. */
  async rewriteRows(): Promise<string | undefined> {
    const { rewrite, file, work } = this.#task
    const { signal, files, progress } = this.#run
    await this.#requireStored()
    const range = rewrite.range(file.rows)
    const from = Math.max(range.from, this.#next)
    const rows = openRows(files, await this.#segments(), { from, to: range.to })
    const prepare = async (row: OpenRow) => ({ row, outcome: await work.prepare(row) })
    for await (const { row, outcome } of inOrder(rows, rewrite.concurrent, prepare)) {
      signal.throwIfAborted()
      this.#open = row.segment
      const taken = work.take(outcome, row)
      if (taken && 'stop' in taken) return taken.stop
      if (taken) await changeRow(this.#run.db, row, taken.fields)
      this.#next = row.rowNo + 1
      progress(this.#next - range.from, range.count)
      if (row.endsSegment || performance.now() - this.#keptAt > KEEP_MS) await this.#keep()
    }
    return undefined
  }

  /** Inserts the new version, if anything changed. */
  async finish(stopped: string | undefined): Promise<Rewritten> {
    const { file, work, rewrite } = this.#task
    const result = { state: work.state(), ...(stopped !== undefined && { stopped }) }
    const unchanged = { version: file.version, isNew: false, ...result }
    if (rewrite.dryRun) return unchanged
    await this.#store()
    if (this.#replaced.size === 0) return unchanged
    await this.#requireStored()
    const saved = { version: file.version + 1, isNew: true, ...result }
    const segments = await this.#segments()
    await this.#run.withFence(async (trx) => {
      if ((await lockStagingFile(trx, file.id)) !== file.version) throw changedByOthers(file)
      await this.#insertVersion(trx, saved.version, segments)
      await this.#run.saveCheckpoint({ saved }, trx)
    })
    return saved
  }

  async #segments(): Promise<Segment[]> {
    const { file } = this.#task
    const before = await listSegments(this.#run.db, file.id, file.version)
    return before.map((segment, place) => this.#replaced.get(place) ?? segment)
  }

  /** Days may pass between two runs, and no version may refer to a segment that was swept since. */
  async #requireStored(): Promise<void> {
    for (const [place, segment] of this.#replaced) {
      if (await this.#run.files.exists(segmentKey(segment.sha256))) continue
      throw lostSegment(this.#task.file, place, segment)
    }
  }

  async #store(): Promise<void> {
    const open = this.#open
    if (!open?.isChanged) return
    this.#replaced.set(open.place, await storeSegment(this.#run.files, open.lines, open.bytes))
    open.isChanged = false
  }

  async #keep(): Promise<void> {
    const { file, work, rewrite } = this.#task
    this.#keptAt = performance.now()
    if (rewrite.dryRun) return
    await this.#store()
    // Fail early rather than after hours of work that cannot be saved.
    const now = await findStagingFile(this.#run.db, file.root, file.path)
    if (now?.version !== file.version) throw changedByOthers(file)
    await this.#run.saveCheckpoint({
      fileId: file.id,
      version: file.version,
      next: this.#next,
      replaced: replacementsOf(this.#replaced),
      state: work.state(),
    })
  }

  async #insertVersion(trx: Db, version: number, segments: readonly Segment[]): Promise<void> {
    const { file, rewrite } = this.#task
    const { message } = rewrite
    const authorUserId = await findJobAuthor(trx, this.#run.jobId)
    const columns = [...new Set([...file.columns, ...rewrite.columns])]
    await insertVersion(trx, { fileId: file.id, version, authorUserId, message, segments, columns })
    await writeAudit(trx, {
      action: 'staging-file-saved',
      ...(authorUserId && { actorUserId: authorUserId }),
      jobId: this.#run.jobId,
      target: `${file.root}:${file.path}`,
      detail: { version, rows: file.rows, message },
    })
  }
}
