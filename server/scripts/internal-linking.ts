import { z } from 'zod'
import type { FlagsOf } from '#contract/admin/scripts.ts'
import {
  deleteLinksOfGone,
  LinkBook,
  type LinkChange,
  linkDiff,
  loadBookedPages,
} from '#server/features/finding/landing/link-book.ts'
import {
  type ChosenForLinks,
  chooseLinked,
  type LinkingOptions,
  LinkWords,
  linkListings,
  linkPages,
} from '#server/features/finding/landing/link-pages.ts'
import type { Subject } from '#server/features/finding/landing/page-facts.ts'
import { deletePagesOfGone } from '#server/features/finding/landing/pages.ts'
import { proposeLinks, proposePage } from '#server/features/finding/landing/proposals.ts'
import {
  buildPages,
  type PageOutcome,
  pageLines,
  refuseOnWritingFailure,
} from '#server/features/finding/landing/write-pages.ts'
import { ReviewDraft, storeReview } from '#server/features/market/descriptions/text-review.ts'
import { openWriter } from '#server/features/market/writing/open-writer.ts'
import { builtInWriter, reportCost, type Writer } from '#server/features/market/writing/writer.ts'
import { defineScript, ScriptRefusal, type ScriptRun } from '#server/platform/scripts/script-program.ts'

type Run = ScriptRun<FlagsOf<'internal-linking'>>

const count = z.int().min(0)
const progress = z.object({
  arePagesDone: z.boolean(),
  /** The last lookup whose page was built, and the last whose page was linked. */
  lastMade: z.uuid().nullable(),
  lastLinked: z.uuid().nullable(),
  made: count,
  listings: count,
  changed: count,
})
type Tally = z.output<typeof progress>

type Work = {
  readonly chosen: ChosenForLinks
  readonly writer: Writer
  readonly before: Tally
  /** What a dry run would write. */
  readonly draft: ReviewDraft
}

// A dry run prints no more than a person would read; the rest is only counted.
const MAX_PRINTED = 500

const NO_PROGRESS: Tally = {
  arePagesDone: false,
  lastMade: null,
  lastLinked: null,
  made: 0,
  listings: 0,
  changed: 0,
}

/** Links the pages of categories, manufacturers and models and the live listings with each other. */
export const internalLinking = defineScript('internal-linking', (run) =>
  refuseOnWritingFailure(async () => {
    const { db, flags, signal } = run
    const chosen = await chooseLinked(db, flags)
    if (!chosen) {
      throw new ScriptRefusal(
        `Nothing called “${flags.target}” can be linked. Enter the name or address of a category, manufacturer, or model, or the address of a live listing.`,
      )
    }
    const draft = new ReviewDraft()
    const before = progress.safeParse(run.checkpoint).data ?? NO_PROGRESS
    const job = { db, jobId: run.jobId, signal }
    const writer = flags.openaiOptimize ? await openWriter(run.openai, job) : builtInWriter
    if (before.arePagesDone)
      console.log(`Continuing after ${before.listings.toLocaleString('en-US')} listings`)
    const { made, changed, listings } = await reportCost(
      { signal, spent: writer.spent, tell: console.log },
      async () => {
        const afterPages = before.arePagesDone
          ? before
          : await doPages(run, { chosen, writer, before, draft })
        return doListings(run, { chosen, writer, before: afterPages, draft })
      },
    )
    if (flags.dryRun) await storeReview(run, { field: 'links', file: undefined, draft })
    else await run.withFence(deleteLinksOfGone)
    const [added, updated] = flags.dryRun ? ['Would add', 'Would update'] : ['Added', 'Updated']
    const pages = `${made.toLocaleString('en-US')} ${made === 1 ? 'page' : 'pages'}`
    const all = (chosen.subjects.length + listings).toLocaleString('en-US')
    console.log(
      `${flags.dryRun ? 'Dry run: ' : ''}${added} ${pages}. ${updated} links on ${changed.toLocaleString('en-US')} of ${all} pages and listings.`,
    )
    return { pages: chosen.subjects.length, made, listings, changed, spentCents: writer.spent().cents }
  }),
)

async function doPages(run: Run, work: Work): Promise<Tally> {
  const made = await makePages(run, work)
  const linked = await linkAllPages(run, { ...work, before: made })
  const tally = { ...linked, arePagesDone: true }
  if (!run.flags.dryRun) await run.saveCheckpoint(tally)
  return tally
}

const itemsAfter = <Item extends { readonly id: string }>(items: readonly Item[], last: string | null) =>
  items.slice(items.findIndex(({ id }) => id === last) + 1)

/** Builds missing pages, and rebuilds manufacturer and model pages whose facts changed. */
async function makePages(run: Run, { chosen, writer, before, draft }: Work): Promise<Tally> {
  const { db, flags, jobId } = run
  let tally = before
  if (!flags.dryRun) await run.withFence(deletePagesOfGone)
  // Another script rewrites existing category pages.
  const isCategory = ({ kind }: Subject) => kind === 'category'
  const subjects = [
    ...chosen.subjects.filter(isCategory),
    ...chosen.subjects.filter((one) => !isCategory(one)),
  ]
  const left = itemsAfter(subjects, before.lastMade)
  const after = (outcomes: readonly PageOutcome[]): Tally => ({
    ...tally,
    lastMade: outcomes.at(-1)?.subject.id ?? tally.lastMade,
    made: tally.made + outcomes.filter(({ outcome }) => outcome === 'new').length,
  })
  for (const rewrite of ['missing', 'changed'] as const) {
    const pages = buildPages(
      left.filter((subject) => isCategory(subject) === (rewrite === 'missing')),
      {
        ...around(run),
        writer,
        db,
        jobId,
        rewrite,
        saveCheckpoint: (outcomes, trx) => run.saveCheckpoint(after(outcomes), trx),
      },
    )
    for await (const outcomes of pages) {
      tally = after(outcomes)
      const how = { dryRun: flags.dryRun, verbose: false }
      for (const line of outcomes.flatMap((page) => pageLines(page, how))) console.log(line)
      if (flags.dryRun) draft.addPages(outcomes.flatMap((page) => proposePage(page) ?? []))
    }
  }
  return tally
}

async function linkAllPages(run: Run, { chosen, writer, before, draft }: Work): Promise<Tally> {
  const { subjects, listings } = chosen
  let tally = before
  const linking = await openLinking(run, writer)
  const booked = subjects.flatMap(({ kind, id }) => linking.book.find(kind, id) ?? [])
  const left = itemsAfter(booked, before.lastLinked)
  let done = booked.length - left.length
  const after = (pages: readonly { id: string }[], changed: number): Tally => ({
    ...tally,
    lastLinked: pages.at(-1)?.id ?? tally.lastLinked,
    changed: tally.changed + changed,
  })
  const batches = linkPages(left, {
    ...linking,
    saveCheckpoint: (pages, changed, trx) => run.saveCheckpoint(after(pages, changed), trx),
  })
  for await (const { pages, changes } of batches) {
    printDiff(run, changes, tally.changed)
    if (run.flags.dryRun) draft.addPages(changes.map(proposeLinks))
    tally = after(pages, changes.length)
    done += pages.length
    run.progress(done, subjects.length + listings, 'Pages')
  }
  return tally
}

async function doListings(run: Run, { chosen, writer, before, draft }: Work): Promise<Tally> {
  const tally = { ...before }
  const pages = chosen.subjects.length
  const batches = linkListings(chosen.batches(tally.listings), {
    ...(await openLinking(run, writer)),
    saveCheckpoint: (changed, done, trx) =>
      run.saveCheckpoint(
        { ...tally, listings: tally.listings + done, changed: tally.changed + changed },
        trx,
      ),
  })
  for await (const linked of batches) {
    printDiff(run, linked.changes, tally.changed)
    if (run.flags.dryRun) draft.addPages(linked.changes.map(proposeLinks))
    tally.listings += linked.done
    tally.changed += linked.changes.length
    run.progress(pages + tally.listings, pages + chosen.listings, 'Listings')
  }
  return tally
}

const around = (run: Run) => ({
  dryRun: run.flags.dryRun,
  signal: run.signal,
  inOneTransaction: run.withFence,
})

async function openLinking(run: Run, writer: Writer): Promise<LinkingOptions> {
  const book = new LinkBook(await loadBookedPages(run.db))
  const words = new LinkWords(writer, (name, problems) => {
    for (const { claim, why } of problems) console.log(`Link to ${name} rejected: “${claim}” ${why}`)
  })
  return { ...around(run), db: run.db, book, words, force: run.flags.forceReprocess }
}

function printDiff({ flags }: Run, changes: readonly LinkChange[], printed: number): void {
  if (!flags.dryRun) return
  for (const change of changes.slice(0, Math.max(0, MAX_PRINTED - printed))) {
    console.log(`${change.name} (${change.from.kind})`)
    for (const line of linkDiff(change)) console.log(`  ${line}`)
  }
}
