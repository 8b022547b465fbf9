import { sql } from 'kysely'
import { z } from 'zod'
import type { Json, JsonValue } from '#db/schema.gen.ts'
import { isForSale } from '#server/features/market/for-sale/for-sale.ts'
import { joinChangeSet, withChangeSet } from '#server/features/market/history/change-sets.ts'
import { changeListings, diffColumns, lockListings } from '#server/features/market/listings/write-queries.ts'
import {
  type RecordFields,
  readPartFacts,
  vehicleAndName,
} from '#server/features/market/writing/part-text.ts'
import { reportCost } from '#server/features/market/writing/writer.ts'
import { type Db, LOWEST_ID } from '#server/platform/database/database.ts'
import { findJobAuthor } from '#server/platform/jobs/enqueue-job.ts'
import { inOrder, recordRange, type ScriptRun } from '#server/platform/scripts/script-program.ts'
import type { WritingReporter, WrittenTexts } from './staged-texts.ts'
import { type DeskRun, openTextDesk, type TextDesk, type TextTask } from './text-desk.ts'
import { readCounts, type TextOutcome, type WritingCounts, WritingTally } from './text-outcomes.ts'

const checkpoint = z.object({
  /** The last listing that is done; null before the first one. */
  after: z.string().nullable(),
  /** Numbers of live listings: skipped at the start, done so far, and at the end of the range. */
  from: z.int().min(0),
  done: z.int().min(0),
  to: z.int().min(0),
  /** The bulk save that is being written, and how many listings it has. */
  save: z.object({ changeSetId: z.string(), listings: z.int() }).nullable(),
  counts: z.json() as z.ZodType<JsonValue>,
})

/** The progress of writing live listings. */
type LiveCheckpoint = z.output<typeof checkpoint>

function readLiveCheckpoint(kept: Json | null): LiveCheckpoint | undefined {
  const read = checkpoint.safeParse(kept)
  return read.success ? read.data : undefined
}

type LiveListing = {
  readonly id: string
  readonly version: number
  readonly slug: string
  /** Fields under their API names. */
  readonly fields: RecordFields & { readonly partdescription: string }
}

async function countLiveListings(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from listing l where ${isForSale}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The id of the `count`th oldest live listing (ids grow with time), or undefined. */
async function findLiveIdBefore(db: Db, count: number): Promise<string | undefined> {
  if (count === 0) return undefined
  const { rows } = await sql<{ id: string }>`
    select l.id from listing l where ${isForSale} order by l.id offset ${count - 1} limit 1`.execute(db)
  return rows[0]?.id
}

/** Live listings after `after`, oldest first. */
async function listLiveListings(
  db: Db,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<LiveListing[]> {
  const { rows } = await sql<LiveListing>`
    select l.id, l.version, l.slug, jsonb_build_object(
      'partname', l.name, 'partdescription', l.description,
      'partmanuname', l.manufacturer_name, 'partmodel', l.model_name, 'parttrim', l.trim_name,
      'partyear', case when l.year_from = l.year_to then l.year_from::text else l.year_from || '-' || l.year_to end,
      'partnum', l.part_number, 'partmiles', l.miles, 'partdamage', l.damage) as fields
    from listing l
    where ${isForSale} and l.id > ${after ?? LOWEST_ID}
    order by l.id limit ${limit}
  `.execute(db)
  return rows
}

/** A new text for a version of a listing. */
type LiveText = { readonly id: string; readonly version: number; readonly text: string }

// Small enough that an undo, in one transaction, does not take too long for the waiting person.
export const MAX_LISTINGS_PER_SAVE = 2_000

/**
 * Writes descriptions into live listings as part of the job's bulk save, or of a new one if that is full. Skips listings
 * that changed since they were read. Returns the bulk save and how many listings changed.
 */
async function saveLiveDescriptions(
  trx: Db,
  texts: readonly LiveText[],
  { jobId, save }: { jobId: string; save: LiveCheckpoint['save'] },
): Promise<{ save: LiveCheckpoint['save']; changed: number }> {
  const locked = await lockListings(
    trx,
    texts.map(({ id }) => id),
  )
  const changes = texts.flatMap(({ id, version, text: description }) => {
    const before = locked.get(id)
    if (!before || before.version !== version || before.deleted_at) return []
    return { before, columns: diffColumns(before, { description }) }
  })
  if (changes.length === 0) return { save, changed: 0 }
  const isFull = save !== null && save.listings + changes.length > MAX_LISTINGS_PER_SAVE
  const open = save !== null && !isFull ? save : { changeSetId: await openSave(trx, jobId), listings: 0 }
  await joinChangeSet(trx, open.changeSetId)
  await changeListings(trx, changes, open.changeSetId)
  return { save: { ...open, listings: open.listings + changes.length }, changed: changes.length }
}

async function openSave(trx: Db, jobId: string): Promise<string> {
  const actorUserId = await findJobAuthor(trx, jobId)
  const source = {
    actorKind: 'job' as const,
    jobId,
    ...(actorUserId && { actorUserId }),
    // This reason lists it among the bulk saves, where it can be undone.
    reason: 'bulk edit',
  }
  return withChangeSet(trx, source, async (_trx, changeSetId) => changeSetId)
}

type LiveRun = DeskRun & Pick<ScriptRun<unknown>, 'checkpoint' | 'progress' | 'saveCheckpoint' | 'withFence'>

const LISTINGS_A_PAGE = 500
// Texts per transaction, and the maximum of paid texts lost with a worker.
const TEXTS_A_SAVE = 250
const SAVE_EVERY_MS = 5_000

/**
 * Writes descriptions of all sellers' live listings, oldest first. After a lost worker, the next run continues after
 * the last transaction. Skips listings that their sellers change in the meantime.
 */
export async function writeLiveDescriptions(
  run: LiveRun,
  task: TextTask,
  { report, tell }: WritingReporter,
): Promise<WrittenTexts> {
  const place = readLiveCheckpoint(run.checkpoint) ?? (await findBeginning(run, task))
  const desk = await openTextDesk(run, task)
  const writing = new LiveWriting(run, { task, desk, report, place })
  return reportCost({ signal: run.signal, spent: desk.spent, tell }, async () => {
    const stopped = await writing.writeAll()
    await writing.keep()
    return { counts: writing.counts(), stopped }
  })
}

async function findBeginning({ db }: LiveRun, { range }: TextTask): Promise<LiveCheckpoint> {
  const { from, to } = recordRange(range, await countLiveListings(db))
  const after = (await findLiveIdBefore(db, from)) ?? null
  return { after, from, done: from, to, save: null, counts: null }
}

/** Numbered from 1 among the live listings. */
type NumberedListing = { readonly number: number; readonly listing: LiveListing }

async function* listingsBehind(
  run: LiveRun,
  { after: behind, done, to }: LiveCheckpoint,
): AsyncGenerator<NumberedListing> {
  let after = behind ?? undefined
  for (let number = done; number < to; ) {
    const limit = Math.min(LISTINGS_A_PAGE, to - number)
    const page = await listLiveListings(run.db, { after, limit })
    if (page.length === 0) return
    for (const listing of page) {
      number += 1
      after = listing.id
      yield { number, listing }
    }
  }
}

type Work = {
  readonly task: TextTask
  readonly desk: TextDesk
  readonly report: WritingReporter['report']
  readonly place: LiveCheckpoint
}

class LiveWriting {
  readonly #run: LiveRun
  readonly #work: Work
  readonly #tally: WritingTally
  #place: LiveCheckpoint
  #texts: LiveText[] = []
  #keptAt = performance.now()

  constructor(run: LiveRun, work: Work) {
    this.#run = run
    this.#work = work
    this.#place = work.place
    this.#tally = new WritingTally(readCounts(work.place.counts), work.task)
  }

  /** Returns why the work stopped early, if it did. */
  async writeAll(): Promise<string | undefined> {
    const { task, desk } = this.#work
    const { signal, progress } = this.#run
    const write = async (numbered: NumberedListing) => {
      const { fields } = numbered.listing
      const outcome = await desk.write({ fields, before: fields.partdescription })
      return { numbered, outcome }
    }
    const listings = listingsBehind(this.#run, this.#place)
    for await (const { numbered, outcome } of inOrder(listings, task.concurrent, write)) {
      signal.throwIfAborted()
      const stop = this.#take(numbered, outcome)
      if (stop !== undefined) return stop
      this.#place = { ...this.#place, after: numbered.listing.id, done: numbered.number }
      const { from, to } = this.#place
      progress(numbered.number - from, to - from)
      const isTime = performance.now() - this.#keptAt > SAVE_EVERY_MS
      if (this.#texts.length >= TEXTS_A_SAVE || isTime) await this.keep()
    }
    return undefined
  }

  #take({ number, listing }: NumberedListing, outcome: TextOutcome): string | undefined {
    const { id, version, slug, fields } = listing
    const report = { place: `Listing ${number} (${slug})`, before: fields.partdescription, outcome }
    const title = vehicleAndName(readPartFacts(fields))
    this.#work.report({ ...report, title, subject: { listingId: id, version } })
    const stop = this.#tally.take(report)
    if (outcome.kind === 'written') this.#texts.push({ id, version, text: outcome.text })
    return stop
  }

  counts(): WritingCounts {
    return this.#tally.counts(this.#work.desk.spent())
  }

  /** Writes the finished texts together with the checkpoint. */
  async keep(): Promise<void> {
    const texts = this.#texts
    this.#texts = []
    this.#keptAt = performance.now()
    if (this.#work.task.dryRun) return
    const { jobId, withFence, saveCheckpoint } = this.#run
    this.#place = await withFence(async (trx) => {
      const { save, changed } = await saveLiveDescriptions(trx, texts, { jobId, save: this.#place.save })
      this.#tally.leave(texts.length - changed)
      const place = { ...this.#place, save, counts: this.counts() }
      await saveCheckpoint(place, trx)
      return place
    })
  }
}
