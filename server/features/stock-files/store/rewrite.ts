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
import { type Fields, fromSegmentLine, type StagedRecord, toSegmentLine } from './staged-record.ts'

const state = z.json() as z.ZodType<JsonValue>

const underWay = z.object({
  fileId: z.string(),
  /** The version that is being rewritten. */
  version: z.int(),
  /** The row to go on with, counted from 0. */
  next: z.int().min(0),
  /** Segments that stand in the place of those of the version: place, hash, rows, bytes. `sweep-imports` keeps these. */
  replaced: z.array(z.tuple([z.int(), z.string(), z.int(), z.number()])),
  state,
})

const saved = z.object({
  saved: z.object({ version: z.int(), isNew: z.boolean(), state, stopped: z.string().optional() }),
})

/** How far a rewrite is; after its end, what came of it. */
type RewriteCheckpoint = z.output<typeof underWay>
type Saved = z.output<typeof saved>['saved']

/** Undefined at the beginning, and where a checkpoint is none of ours. */
function readCheckpoint(checkpoint: Json | null): RewriteCheckpoint | { saved: Saved } | undefined {
  const read = z.union([saved, underWay]).safeParse(checkpoint)
  return read.success ? read.data : undefined
}

export const replacementsOf = (replaced: ReadonlyMap<number, Segment>): RewriteCheckpoint['replaced'] =>
  [...replaced].map(([place, { sha256, rows, bytes }]) => [place, sha256, rows, bytes])

const readReplacements = (replaced: RewriteCheckpoint['replaced']): Map<number, Segment> =>
  new Map(replaced.map(([place, sha256, rows, bytes]) => [place, { sha256, rows, bytes }]))

/** A segment in memory, whose lines may be changed. */
class OpenSegment {
  readonly place: number
  readonly lines: string[]
  bytes: number
  /** Whether it says something that is not stored yet. */
  isChanged = false

  constructor(place: number, lines: string[], bytes: number) {
    this.place = place
    this.lines = lines
    this.bytes = bytes
  }

  change({ at, record }: OpenRow, fields: StagedRecord['fields']): void {
    const after = toSegmentLine({ ...record, fields })
    this.lines[at] = after.line
    this.bytes += after.bytes - toSegmentLine(record).bytes
    this.isChanged = true
  }
}

type OpenRow = {
  /** Counted from 0, in the file. */
  readonly rowNo: number
  readonly record: StagedRecord
  readonly segment: OpenSegment
  /** Its line in the segment. */
  readonly at: number
  /** Whether no further row of its segment comes. */
  readonly endsSegment: boolean
}

/** The rows from one to before another, a segment at a time; each knows the segment that it can be changed in. */
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
      const segment = new OpenSegment(place, await readSegmentLines(files, sha256), bytes)
      for (let at = start; at < end; at += 1) {
        const record = fromSegmentLine(segment.lines[at] ?? '')
        yield { rowNo: first + at, record, segment, at, endsSegment: at === end - 1 }
      }
    }
    first += rows
  }
}

/** What a script's run has that a rewrite needs. */
export type RewriteRun = Pick<
  ScriptRun<unknown>,
  'jobId' | 'source' | 'checkpoint' | 'signal' | 'db' | 'files' | 'progress' | 'saveCheckpoint' | 'withFence'
>

export type Rewrite<Outcome> = {
  /** Of the new version: the script's name. */
  readonly message: string
  /** Fields that records may have afterwards. */
  readonly columns: readonly string[]
  /** The rows to work on, of so many. */
  readonly range: (rows: number) => RecordRange
  /** How many records are worked on at one time. */
  readonly concurrent: number
  /** Everything is done but written. */
  readonly dryRun: boolean
  /** Called once the file is found; `state` is what an interrupted run had in the same version. */
  readonly begin: (file: StagingFile, state: JsonValue | undefined) => Promise<RecordWork<Outcome>>
}

export type RecordWork<Outcome> = {
  /** Works on a record, beside others. What it throws ends the script, and nothing is saved. */
  prepare(row: OpenRow): Promise<Outcome>
  /**
   * Takes what came of it, in the order of the rows: all fields that the row has from now on, or nothing where it stays.
   * `stop` ends the work with this row; what was written before it is saved.
   */
  take(outcome: Outcome, row: OpenRow): { readonly fields: Fields } | { readonly stop: string } | undefined
  /** What a further run has to know, such as counts. */
  state(): JsonValue
}

/** `version` is the one that counts now; a new one where something changed. `stopped`: why the work ended early. */
export type Rewritten = Saved

// A language model takes minutes for a segment, and what it wrote was paid for.
const KEEP_MS = 5_000

/**
 * Rewrites records of the staged file that a script was started with: only segments with a change are stored anew, and all
 * changes become one new version at the end. Never more than two segments are in memory. A run after a lost worker goes on
 * with the row where the last checkpoint was made. Where the file was changed meanwhile nothing is saved.
 * @throws ScriptRefusal where there is no such file, it was changed by somebody else, or what an earlier run wrote is gone;
 *   AppError STORAGE_FULL, BUSY
 */
export async function rewriteStagedFile<Outcome>(
  run: RewriteRun,
  rewrite: Rewrite<Outcome>,
): Promise<Rewritten> {
  const kept = readCheckpoint(run.checkpoint)
  if (kept && 'saved' in kept) return kept.saved
  const file = await findSource(run)
  if (kept && (kept.fileId !== file.id || kept.version !== file.version)) throw changedMeanwhile(file)
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

const changedMeanwhile = ({ path }: StagingFile) =>
  new ScriptRefusal(
    `${path} was changed by somebody else meanwhile, so nothing was saved. Run the script again: it works on the file as it is now.`,
  )

const lostSegment = ({ path }: StagingFile, place: number, { sha256 }: Segment) =>
  new ScriptRefusal(
    `Segment ${place + 1} of ${path}, which an earlier run of this job rewrote, is missing in the file store (${sha256}), so nothing was saved. Run the script again: it works on the file as it is now.`,
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

  /** Answers why the work stopped, if it did. */
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
      if (taken) row.segment.change(row, taken.fields)
      this.#next = row.rowNo + 1
      progress(this.#next - range.from, range.count)
      if (row.endsSegment || performance.now() - this.#keptAt > KEEP_MS) await this.#keep()
    }
    return undefined
  }

  /** The version and its place in the history, or nothing new where nothing changed. */
  async finish(stopped: string | undefined): Promise<Rewritten> {
    const { file, work, rewrite } = this.#task
    const told = { state: work.state(), ...(stopped !== undefined && { stopped }) }
    const unchanged = { version: file.version, isNew: false, ...told }
    if (rewrite.dryRun) return unchanged
    await this.#store()
    if (this.#replaced.size === 0) return unchanged
    await this.#requireStored()
    const saved = { version: file.version + 1, isNew: true, ...told }
    const segments = await this.#segments()
    await this.#run.withFence(async (trx) => {
      if ((await lockStagingFile(trx, file.id)) !== file.version) throw changedMeanwhile(file)
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

  /** Days may lie between two runs: no version may name a file that is gone, nor shall anybody wait for one in vain. */
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
    // Who waits for hours shall not learn only then that it was for nothing.
    const now = await findStagingFile(this.#run.db, file.root, file.path)
    if (now?.version !== file.version) throw changedMeanwhile(file)
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
      target: `${file.root}:${file.path}`,
      detail: { version, rows: file.rows, message },
    })
  }
}
