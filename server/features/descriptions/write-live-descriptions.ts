import { tellCost } from '#server/features/writing/writer.ts'
import { inOrder, recordRange, type ScriptRun } from '#server/platform/scripts/script-program.ts'
import { type LiveCheckpoint, readLiveCheckpoint } from './live-checkpoint.ts'
import {
  countLiveListings,
  findLiveIdBefore,
  type LiveListing,
  listLiveListings,
} from './live-description-queries.ts'
import { openTextDesk, type TextDesk } from './open-text-desk.ts'
import { type LiveText, saveLiveDescriptions } from './save-live-descriptions.ts'
import type { TextOutcome, TextReport } from './text-outcome.ts'
import type { TextTask } from './text-task.ts'
import type { WritingEar, WrittenTexts } from './write-staged-texts.ts'
import { readCounts, type WritingCounts, WritingTally } from './writing-tally.ts'

type LiveRun = Pick<
  ScriptRun<unknown>,
  'jobId' | 'checkpoint' | 'signal' | 'db' | 'openai' | 'progress' | 'saveCheckpoint' | 'withFence'
>

const LISTINGS_A_PAGE = 500
// What one transaction writes; and how much of what was paid for may be lost with a worker.
const TEXTS_A_SAVE = 250
const KEEP_MS = 5_000

/**
 * Writes descriptions of live listings of all sellers, the oldest first. A run after a lost worker goes on behind the last
 * transaction. Listings that their sellers change meanwhile keep what those wrote.
 */
export async function writeLiveDescriptions(
  run: LiveRun,
  task: TextTask,
  { report, tell }: WritingEar,
): Promise<WrittenTexts> {
  const place = readLiveCheckpoint(run.checkpoint) ?? (await findBeginning(run, task))
  const desk = await openTextDesk(run, task)
  const writing = new LiveWriting(run, { task, desk, report, place })
  return tellCost({ signal: run.signal, spent: desk.spent, tell }, async () => {
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

/** Each with its number among the live listings, counted from 1. */
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
  readonly report: (report: TextReport) => void
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

  /** Answers why the work stopped, if it did. */
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
      const isTime = performance.now() - this.#keptAt > KEEP_MS
      if (this.#texts.length >= TEXTS_A_SAVE || isTime) await this.keep()
    }
    return undefined
  }

  #take({ number, listing }: NumberedListing, outcome: TextOutcome): string | undefined {
    const { id, version, slug, fields } = listing
    const told = { place: `Listing ${number} (${slug})`, before: fields.partdescription, outcome }
    this.#work.report(told)
    const stop = this.#tally.take(told)
    if (outcome.kind === 'written') this.#texts.push({ id, version, text: outcome.text })
    return stop
  }

  counts(): WritingCounts {
    return this.#tally.counts(this.#work.desk.spent())
  }

  /** Writes what is ready, with the place to go on from. */
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
