import { z } from 'zod'
import type { FlagsOf } from '#contract/admin/scripts.ts'
import type { Subject } from '#server/features/finding/landing/page-facts.ts'
import { deletePagesOfGone } from '#server/features/finding/landing/pages.ts'
import { proposePage } from '#server/features/finding/landing/proposals.ts'
import { findSubject, listSubjects } from '#server/features/finding/landing/subjects.ts'
import {
  addPages,
  buildPages,
  NO_PAGES,
  pageLines,
  pagesDone,
  pageTally,
  refuseOnWritingFailure,
} from '#server/features/finding/landing/write-pages.ts'
import { ReviewDraft, storeReview } from '#server/features/market/descriptions/text-review.ts'
import { openWriter } from '#server/features/market/writing/open-writer.ts'
import { builtInWriter, reportCost } from '#server/features/market/writing/writer.ts'
import {
  defineScript,
  recordRange,
  ScriptRefusal,
  type ScriptRun,
} from '#server/platform/scripts/script-program.ts'

type Run = ScriptRun<FlagsOf<'product-page-category'>>

const progress = z.object({
  last: z.uuid().nullable(),
  tally: pageTally,
})

/** Builds the landing page of each category from its live listings. */
export const productPageCategory = defineScript('product-page-category', async (run) => {
  const { flags, db, signal } = run
  const before = progress.safeParse(run.checkpoint).data ?? { last: null, tally: NO_PAGES }
  const subjects = await chooseCategories(run)
  const left = subjects.slice(subjects.findIndex(({ id }) => id === before.last) + 1)
  if (before.last !== null) console.log(`Continuing after ${pagesDone(before.tally)} categories`)
  const job = { db, jobId: run.jobId, signal }
  const writer = flags.optimize ? await openWriter(run.openai, job) : builtInWriter
  if (flags.optimize && writer === builtInWriter) {
    console.log('OPENAI_API_KEY is not set: the built-in template is used.')
  }
  let { tally } = before
  const draft = new ReviewDraft()
  const pages = buildPages(left, {
    writer,
    db,
    signal,
    jobId: run.jobId,
    rewrite: 'changed',
    dryRun: flags.dryRun,
    inOneTransaction: run.withFence,
    saveCheckpoint: async (outcomes, trx) => {
      const last = outcomes.at(-1)?.subject.id ?? null
      await run.saveCheckpoint({ last, tally: addPages(tally, outcomes) }, trx)
    },
  })
  const buildAll = async () => {
    for await (const outcomes of pages) {
      tally = addPages(tally, outcomes)
      for (const line of outcomes.flatMap((page) => pageLines(page, flags))) console.log(line)
      if (flags.dryRun) draft.addPages(outcomes.flatMap((page) => proposePage(page) ?? []))
      run.progress(pagesDone(tally), subjects.length, 'Category pages')
    }
  }
  await reportCost({ signal, spent: writer.spent, tell: console.log }, () => refuseOnWritingFailure(buildAll))
  if (flags.dryRun) await storeReview(run, { field: 'landing', file: undefined, draft })
  const removed = flags.dryRun ? 0 : await run.withFence(deletePagesOfGone)
  console.log(summary(flags.dryRun, tally, removed))
  return { categories: subjects.length, ...tally, removed, spentCents: writer.spent().cents }
})

async function chooseCategories({ db, flags }: Run): Promise<readonly Subject[]> {
  if (flags.category === undefined) {
    const all = await listSubjects(db, 'category')
    const { from, to } = recordRange(flags, all.length)
    return all.slice(from, to)
  }
  const found = await findSubject(db, 'category', flags.category)
  if (!found) {
    throw new ScriptRefusal(
      `There is no category “${flags.category}”. Enter its name as shown in Manage Categories, or leave Category empty.`,
    )
  }
  return [found]
}

function summary(dryRun: boolean, tally: typeof NO_PAGES, removed: number): string {
  const { new: made, changed, stands, empty, refused } = tally
  const counts = [
    [made, made === 1 ? 'new page' : 'new pages'],
    [changed, dryRun ? 'to update' : 'updated'],
    [stands, 'unchanged'],
    [empty, 'without parts'],
    [refused, 'not written; see above'],
  ] as const
  const named = counts.filter(([count]) => count > 0).map(([count, word]) => `${whole(count)} ${word}`)
  const found = named.join(', ') || 'no pages'
  if (dryRun) return `Dry run: ${found}. Nothing was saved.`
  const gone = removed > 0 ? ` Pages of deleted names removed: ${whole(removed)}.` : ''
  return `Done: ${found}.${gone}`
}

const whole = (count: number) => count.toLocaleString('en-US')
