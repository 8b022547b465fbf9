import { z } from 'zod'
import type { FlagsOf } from '#contract/scripts.ts'
import { buildPages } from '#server/features/landing/build-pages.ts'
import { type ChosenForLinks, chooseLinked } from '#server/features/landing/choose-linked.ts'
import { LinkBook } from '#server/features/landing/link-book.ts'
import { linkDiff } from '#server/features/landing/link-change.ts'
import { linkListings } from '#server/features/landing/link-listings.ts'
import { type Linked, type Linking, linkPages } from '#server/features/landing/link-pages.ts'
import { deleteLinksOfGone, loadBookedPages } from '#server/features/landing/link-queries.ts'
import { LinkWords } from '#server/features/landing/link-words.ts'
import { openWriters } from '#server/features/landing/open-writers.ts'
import { pageLines } from '#server/features/landing/page-lines.ts'
import { deletePagesOfGone } from '#server/features/landing/page-queries.ts'
import { tellWritingFailure } from '#server/features/landing/tell-writing-failure.ts'
import { NOTHING_SPENT, spentSchema } from '#server/features/writing/spent.ts'
import { defineScript, ScriptRefusal, type ScriptRun } from '#server/platform/scripts/script-program.ts'

type Run = ScriptRun<FlagsOf<'internal-linking'>>
type Writers = Awaited<ReturnType<typeof openWriters>>

const count = z.int().min(0)
const progress = z.object({
  /** Until then a run begins with the pages: they stand, and what was written for them is kept. */
  arePagesDone: z.boolean(),
  made: count,
  listings: count,
  changed: count,
  spent: spentSchema,
})
type Tally = z.output<typeof progress>

type Work = { readonly chosen: ChosenForLinks; readonly writers: Writers; readonly before: Tally }

// What a person reads of a dry run; the rest is counted.
const MOST_TOLD = 500

const NOTHING_DONE: Tally = { arePagesDone: false, made: 0, listings: 0, changed: 0, spent: NOTHING_SPENT }

/** Links the pages of categories, manufacturers and models and the live listings with one another. */
export const internalLinking = defineScript('internal-linking', (run) =>
  tellWritingFailure(async () => {
    const { db, flags, signal } = run
    const chosen = await chooseLinked(db, flags)
    if (!chosen) {
      throw new ScriptRefusal(
        `There is nothing to link called “${flags.target}”. Give the name or address of a category, manufacturer or model, or the address of a live listing.`,
      )
    }
    const before = progress.safeParse(run.checkpoint).data ?? NOTHING_DONE
    const writers = await openWriters(db, {
      openai: run.openai,
      useModel: flags.openaiOptimize,
      signal,
      spentBefore: before.spent,
    })
    if (before.arePagesDone) console.log(`Going on after ${before.listings.toLocaleString('en-US')} listings`)
    const afterPages = before.arePagesDone ? before : await doPages(run, { chosen, writers, before })
    const { made, changed, listings, spent } = await doListings(run, { chosen, writers, before: afterPages })
    if (!flags.dryRun) await run.withFence(deleteLinksOfGone)
    const sentence = `${made} new pages; ${changed.toLocaleString('en-US')} of ${(chosen.subjects.length + listings).toLocaleString('en-US')} pages and listings lead elsewhere now.`
    console.log(flags.dryRun ? `Dry run, nothing was written: ${sentence}` : sentence)
    return { pages: chosen.subjects.length, made, listings, changed, spentCents: spent.cents }
  }),
)

/** Makes the pages that are missing, then links all that were chosen. */
async function doPages(run: Run, { chosen, writers, before }: Work): Promise<Tally> {
  const { db, flags } = run
  const { subjects, listings } = chosen
  const tally = { ...before }
  const keep = async () => {
    tally.spent = writers.writer.spent()
    if (!flags.dryRun) await run.saveCheckpoint(tally)
  }
  if (!flags.dryRun) await run.withFence(deletePagesOfGone)
  for (const rewrite of ['missing', 'changed'] as const) {
    // Those of categories are another script's; that of the others' words follow what is live.
    const some = subjects.filter(({ kind }) => (kind === 'category') === (rewrite === 'missing'))
    const pages = buildPages(some, { ...writers, ...around(run), db, jobId: run.jobId, rewrite })
    for await (const outcomes of pages) {
      tally.made += outcomes.filter(({ outcome }) => outcome === 'new').length
      const how = { dryRun: flags.dryRun, verbose: false }
      for (const line of outcomes.flatMap((page) => pageLines(page, how))) console.log(line)
      await keep()
    }
  }
  const linking = await openLinking(run, writers)
  const booked = subjects.flatMap(({ kind, id }) => linking.book.find(kind, id) ?? [])
  let done = 0
  for await (const linked of linkPages(booked, linking)) {
    done += linked.done
    tell(run, linked, tally)
    run.progress(done, subjects.length + listings, 'Pages')
    await keep()
  }
  tally.arePagesDone = true
  await keep()
  return tally
}

async function doListings(run: Run, { chosen, writers, before }: Work): Promise<Tally> {
  const tally = { ...before }
  const pages = chosen.subjects.length
  const batches = linkListings(chosen.batches(tally.listings), {
    ...(await openLinking(run, writers)),
    saveCheckpoint: (changed, done, trx) =>
      run.saveCheckpoint(
        { ...tally, listings: tally.listings + done, changed: tally.changed + changed },
        trx,
      ),
  })
  for await (const linked of batches) {
    tally.listings += linked.done
    tell(run, linked, tally)
    run.progress(pages + tally.listings, pages + chosen.listings, 'Listings')
  }
  return tally
}

const around = (run: Run) => ({
  dryRun: run.flags.dryRun,
  signal: run.signal,
  inOneTransaction: run.withFence,
  saveCheckpoint: async () => undefined,
})

async function openLinking(run: Run, writers: Writers): Promise<Linking> {
  const book = new LinkBook(await loadBookedPages(run.db))
  const words = new LinkWords(writers, (name, problems) => {
    for (const { claim, why } of problems) console.log(`Link to ${name} refused: “${claim}” ${why}`)
  })
  return { ...around(run), db: run.db, book, words, force: run.flags.forceReprocess }
}

function tell({ flags }: Run, { changes }: Linked, tally: Tally): void {
  if (flags.dryRun) {
    for (const change of changes.slice(0, Math.max(0, MOST_TOLD - tally.changed))) {
      console.log(`${change.name} (${change.from.kind})`)
      for (const line of linkDiff(change)) console.log(`  ${line}`)
    }
  }
  tally.changed += changes.length
}
