import type { LandingKind } from '#contract/landing.ts'
import { emptyLandingOf, type LandingText } from '#server/features/writing/landing-text.ts'
import type { Problem } from '#server/features/writing/text-check.ts'
import { builtInWriter, type Writer, WritingFailure } from '#server/features/writing/writer.ts'
import type { Db } from '#server/platform/database/database.ts'
import { inOrder } from '#server/platform/scripts/script-program.ts'
import { readPageFacts } from './facts-queries.ts'
import { factsHash, NO_PARTS, type PageFacts, type Subject, writableFacts } from './page-facts.ts'
import { type NewPage, readStoredPages, type StoredPage, upsertPages } from './page-queries.ts'

/** `missing`: pages that are there stay as they are. */
export type Rewrite = 'changed' | 'missing'

export type PageWriting = {
  readonly db: Db
  readonly jobId: string
  /** Where a text of it is refused, the templates write. */
  readonly writer: Writer
  readonly rewrite: Rewrite
  readonly dryRun: boolean
  readonly inOneTransaction: <T>(work: (trx: Db) => Promise<T>) => Promise<T>
  /** The last statement of the transaction in which pages are written, with what became of them. */
  readonly saveCheckpoint: (outcomes: readonly PageOutcome[], trx: Db) => Promise<void>
}

export type PageOutcome = {
  readonly subject: Subject
  /** `empty`: there is nothing to make a page of. */
  readonly outcome: 'new' | 'changed' | 'stands' | 'empty' | 'refused'
  readonly facts: PageFacts
  readonly before: LandingText | undefined
  readonly after: LandingText | undefined
  /** Who wrote it. */
  readonly writer: string | undefined
  /** Why a text was not taken. */
  readonly problems: readonly Problem[]
}

// Calls of a language model that wait for their answers at one time.
const CALLS_AT_ONCE = 4

export type WrittenPages = {
  readonly outcomes: readonly PageOutcome[]
  /** Why the pages after these could not be written. */
  readonly failure: WritingFailure | undefined
}

/**
 * Writes the pages of some lookups of a kind from what is live now. A page whose facts stand is not written again. Where
 * the language model fails, the pages before are written all the same: they were paid for.
 */
export async function writePages(
  kind: LandingKind,
  subjects: readonly Subject[],
  writing: PageWriting,
): Promise<WrittenPages> {
  const ids = subjects.map(({ id }) => id)
  const facts = await readPageFacts(writing.db, kind, ids)
  const stored = await readStoredPages(writing.db, kind, ids)
  const outcomes: PageOutcome[] = []
  const write = (subject: Subject) =>
    writeOne(subject, { facts: facts.get(subject.id) ?? NO_PARTS, before: stored.get(subject.id) }, writing)
  let failure: WritingFailure | undefined
  try {
    for await (const outcome of inOrder(subjects, CALLS_AT_ONCE, write)) outcomes.push(outcome)
  } catch (error) {
    if (!(error instanceof WritingFailure)) throw error
    failure = error
  }
  const pages = outcomes.flatMap(toPage)
  if (!writing.dryRun && outcomes.length > 0) {
    await writing.inOneTransaction(async (trx) => {
      if (pages.length > 0) await upsertPages(trx, kind, { pages, jobId: writing.jobId })
      await writing.saveCheckpoint(outcomes, trx)
    })
  }
  return { outcomes, failure }
}

type Found = { facts: PageFacts; before: StoredPage | undefined }

async function writeOne(
  subject: Subject,
  { facts, before }: Found,
  writing: PageWriting,
): Promise<PageOutcome> {
  const found = { subject, facts, before: before?.text, problems: [] }
  if (before && stands(before, factsHash(subject, facts), { ...writing, facts })) {
    return { ...found, outcome: 'stands', after: before.text, writer: before.writer }
  }
  const outcome = before ? 'changed' : 'new'
  if (facts.parts > 0) return { ...found, outcome, ...(await writeText(subject, facts, writing)) }
  if (!before) return { ...found, outcome: 'empty', after: undefined, writer: undefined }
  // Its last part is gone; people still come to the address.
  return {
    ...found,
    outcome,
    after: emptyLandingOf(writableFacts(subject, facts)),
    writer: builtInWriter.name,
  }
}

type Text = Pick<PageOutcome, 'after' | 'writer' | 'problems'>

async function writeText(
  subject: Subject,
  facts: PageFacts,
  { writer }: PageWriting,
): Promise<Text | (Text & { outcome: 'refused' })> {
  const problems: Problem[] = []
  for (const each of new Set([writer, builtInWriter])) {
    const written = await each.writeLanding(writableFacts(subject, facts))
    if (written.ok) return { after: written.text, writer: each.name, problems }
    problems.push(...written.problems)
  }
  return { outcome: 'refused', after: undefined, writer: undefined, problems }
}

/** A language model that is asked for writes anew what was written by rules. */
function stands(
  before: StoredPage,
  hash: Buffer,
  { rewrite, writer, facts }: Pick<PageWriting, 'rewrite' | 'writer'> & { facts: PageFacts },
): boolean {
  if (rewrite === 'missing') return true
  const isWellWritten =
    writer.name === builtInWriter.name || before.writer === writer.name || facts.parts === 0
  return isWellWritten && before.factsHash.equals(hash)
}

function toPage({ subject, outcome, facts, after, writer }: PageOutcome): NewPage[] {
  if (outcome === 'stands' || after === undefined || writer === undefined) return []
  return [{ subject, facts, text: after, writer, factsHash: factsHash(subject, facts) }]
}
