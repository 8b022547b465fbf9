import { z } from 'zod'
import type { FlagsOf } from '#contract/admin/scripts.ts'
import type { LookupActor } from '#server/features/market/lookups/lookup-changes.ts'
import type { LookupKind } from '#server/features/market/lookups/lookup-kind.ts'
import {
  addNames,
  deleteStaleReviews,
  kindsToReview,
  loadNameBook,
  matchesFilter,
  type NameBook,
  NO_NAMES,
  nameLines,
  namingTally,
  reviewedCount,
  reviewNames,
} from '#server/features/market/naming/name-review.ts'
import { findJobAuthor } from '#server/platform/jobs/enqueue-job.ts'
import {
  defineScript,
  recordRange,
  ScriptRefusal,
  type ScriptRun,
} from '#server/platform/scripts/script-program.ts'

type Run = ScriptRun<FlagsOf<'naming-optimizer'>>

const progress = z.object({
  /** Positions of the first and last name to review: merging moves the others. */
  first: z.string(),
  last: z.string(),
  total: z.int(),
  after: z.string(),
  tally: namingTally,
})
type Progress = z.output<typeof progress>

// Changes run one at a time because each affects what names mean; more concurrency would only occupy connections.
const MAX_CONCURRENT = 3

/** Standardizes the spelling of names and merges duplicates, or prints what it would do. */
export const namingOptimizer = defineScript('naming-optimizer', async (run) => {
  let book = await loadNameBook(run.db)
  const before = progress.safeParse(run.checkpoint).data ?? begin(run, book)
  const by = { jobId: run.jobId, actorUserId: await findJobAuthor(run.db, run.jobId) }
  if (before.after !== '') console.log(`Continuing after ${reviewedCount(before.tally)} names`)
  let now = before
  for (const [at, kind] of kindsToReview(run.flags).entries()) {
    // Changes to manufacturers moved their models.
    if (at > 0) book = await loadNameBook(run.db)
    now = await reviewKind(run, { kind, by, book, before: now })
  }
  if (!run.flags.dryRun) await run.withFence(deleteStaleReviews)
  const { kept, renamed, merged, unsure, notDone, skipped } = now.tally
  console.log(
    `${run.flags.dryRun ? 'Dry run, nothing was saved: ' : ''}${renamed} renamed, ${merged} merged, ${unsure} need a decision, ${notDone} not done, ${kept} already correct, ${skipped} reviewed before.`,
  )
  return { names: before.total, ...now.tally }
})

/** Chooses the names to review, once for all runs of a job. */
function begin({ flags }: Run, { records }: NameBook): Progress {
  const wanted = kindsToReview(flags).flatMap((kind) =>
    records[kind].filter((record) => matchesFilter(kind, record, flags)),
  )
  const named = flags.model ?? flags.manufacturer ?? flags.category
  if (wanted.length === 0 && named !== undefined) {
    throw new ScriptRefusal(`No name matches “${named}”. Enter the exact name, and set Target to its kind.`)
  }
  const { from, to, count } = recordRange(flags, wanted.length)
  const [first = '', last = ''] = [wanted[from]?.place, wanted[to - 1]?.place]
  return { first, last: count === 0 ? '' : last, total: count, after: '', tally: NO_NAMES }
}

async function reviewKind(
  run: Run,
  { kind, by, book, before }: { kind: LookupKind; by: LookupActor; book: NameBook; before: Progress },
): Promise<Progress> {
  const { flags, db, signal } = run
  const { records, match, makeWord } = book
  const chosen = records[kind].filter(
    (record) =>
      matchesFilter(kind, record, flags) &&
      record.place >= before.first &&
      record.place <= before.last &&
      record.place > before.after,
  )
  let now = before
  const reviews = reviewNames(
    kind,
    { all: records[kind], chosen, match: match[kind], makeWord },
    {
      db,
      by,
      signal,
      dryRun: flags.dryRun,
      force: flags.forceReoptimize,
      inBatches: flags.batchMode,
      concurrent: Math.min(flags.concurrent ?? 1, MAX_CONCURRENT),
      inOneTransaction: run.withFence,
      saveCheckpoint: ({ place }, page) =>
        run.saveCheckpoint({ ...now, after: place, tally: addNames(now.tally, page) }),
    },
  )
  for await (const page of reviews) {
    now = { ...now, tally: addNames(now.tally, page) }
    for (const line of page.flatMap(nameLines)) console.log(line)
    run.progress(reviewedCount(now.tally), before.total, 'Names')
  }
  return now
}
