import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { LandingKind } from '#contract/landing.ts'
import type { Problem } from '#server/features/market/writing/fact-check.ts'
import { emptyLandingOf, type LandingText } from '#server/features/market/writing/landing-text.ts'
import { builtInWriter, type Writer, WritingFailure } from '#server/features/market/writing/writer.ts'
import type { Db } from '#server/platform/database/database.ts'
import { inOrder, ScriptRefusal } from '#server/platform/scripts/script-program.ts'
import {
  factsHash,
  fullName,
  NO_PARTS,
  type PageFacts,
  readPageFacts,
  type Subject,
  writableFacts,
} from './page-facts.ts'
import { type NewPage, readStoredPages, type StoredPage, upsertPages } from './pages.ts'

const fields = [
  ['title', 'Title'],
  ['metaDescription', 'Meta description'],
  ['intro', 'Intro'],
] as const

/** The changed texts of a page as lines of a diff. */
function textDiff(before: LandingText | undefined, after: LandingText): string[] {
  return fields.flatMap(([field, label]) => {
    if (before?.[field] === after[field]) return []
    return [...(before === undefined ? [] : [`- ${label}: ${before[field]}`]), `+ ${label}: ${after[field]}`]
  })
}

/** Turns a failure of the language model's provider into a refusal, as it is not a bug of ours. */
export async function refuseOnWritingFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof WritingFailure ? new ScriptRefusal(error.message, { cause: error }) : error
  }
}

/** `missing` skips existing pages. */
type RewriteMode = 'changed' | 'missing'

type PageWritingOptions = {
  readonly db: Db
  readonly jobId: string
  /** If its text is rejected, the built-in template is used. */
  readonly writer: Writer
  readonly rewrite: RewriteMode
  readonly dryRun: boolean
  readonly inOneTransaction: <T>(work: (trx: Db) => Promise<T>) => Promise<T>
  /** Runs last in the transaction that writes the pages. */
  readonly saveCheckpoint: (outcomes: readonly PageOutcome[], trx: Db) => Promise<void>
}

export type PageOutcome = {
  readonly subject: Subject
  /** `stands`: unchanged. `empty`: no parts for a page. */
  readonly outcome: 'new' | 'changed' | 'stands' | 'empty' | 'refused'
  readonly facts: PageFacts
  /** The text is unchanged, but the stored counts or prices are not. */
  readonly isRecounted?: boolean
  readonly before: LandingText | undefined
  readonly after: LandingText | undefined
  readonly writer: string | undefined
  /** Why texts were rejected. */
  readonly problems: readonly Problem[]
}

// Concurrent calls of the language model.
const CALLS_AT_ONCE = 4

type WrittenPages = {
  readonly outcomes: readonly PageOutcome[]
  /** Why the following pages could not be written. */
  readonly failure: WritingFailure | undefined
}

/**
 * Writes the pages of some lookups of a kind from their live listings. Pages with unchanged facts are not rewritten. If
 * the language model fails, earlier pages are still saved, as they were paid for.
 */
async function writePages(
  kind: LandingKind,
  subjects: readonly Subject[],
  writing: PageWritingOptions,
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
  writing: PageWritingOptions,
): Promise<PageOutcome> {
  const found = { subject, facts, before: before?.text, problems: [] }
  if (before && isCurrent(before, factsHash(subject, facts), { ...writing, facts })) {
    const isRecounted = writing.rewrite !== 'missing' && !isDeepStrictEqual(before.facts, facts)
    return { ...found, outcome: 'stands', isRecounted, after: before.text, writer: before.writer }
  }
  const outcome = before ? 'changed' : 'new'
  if (facts.parts > 0) return { ...found, outcome, ...(await writeText(subject, facts, writing)) }
  if (!before) return { ...found, outcome: 'empty', after: undefined, writer: undefined }
  // The page has no parts left, but people still visit the address.
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
  { writer }: PageWritingOptions,
): Promise<Text | (Text & { outcome: 'refused' })> {
  const problems: Problem[] = []
  for (const each of new Set([writer, builtInWriter])) {
    const written = await each.writeLanding(writableFacts(subject, facts))
    if (written.ok) return { after: written.text, writer: each.name, problems }
    problems.push(...written.problems)
  }
  return { outcome: 'refused', after: undefined, writer: undefined, problems }
}

/** A language model rewrites the texts of the built-in writer even if the facts are unchanged. */
function isCurrent(
  before: StoredPage,
  hash: Buffer,
  { rewrite, writer, facts }: Pick<PageWritingOptions, 'rewrite' | 'writer'> & { facts: PageFacts },
): boolean {
  if (rewrite === 'missing') return true
  const isWellWritten =
    writer.name === builtInWriter.name || before.writer === writer.name || facts.parts === 0
  return isWellWritten && before.factsHash.equals(hash)
}

function toPage({ subject, outcome, isRecounted, facts, after, writer }: PageOutcome): NewPage[] {
  if ((outcome === 'stands' && !isRecounted) || after === undefined || writer === undefined) return []
  return [{ subject, facts, text: after, writer, factsHash: factsHash(subject, facts) }]
}

// One statement over the listings of this many lookups takes about half a second with a million live ones.
const PAGES_AT_ONCE = 25

/**
 * Writes the pages of lookups in order, some at a time, and yields each.
 * @throws WritingFailure after the pages that were written before it
 */
export async function* buildPages(
  subjects: readonly Subject[],
  { signal, ...writing }: PageWritingOptions & { readonly signal: AbortSignal },
): AsyncGenerator<readonly PageOutcome[]> {
  for (let from = 0; from < subjects.length; ) {
    signal.throwIfAborted()
    const kind = subjects[from]?.kind
    const others = subjects.slice(from, from + PAGES_AT_ONCE).findIndex((subject) => subject.kind !== kind)
    const to = from + (others < 0 ? PAGES_AT_ONCE : others)
    if (kind) {
      const { outcomes, failure } = await writePages(kind, subjects.slice(from, to), writing)
      yield outcomes
      if (failure) throw failure
    }
    from = to
  }
}

type How = { readonly dryRun: boolean; readonly verbose: boolean }

const words: Record<PageOutcome['outcome'], string> = {
  new: 'new page',
  changed: 'updated',
  stands: 'unchanged',
  empty: 'no page',
  refused: 'no text was good enough',
}

/** What a script prints about a page. */
export function pageLines(page: PageOutcome, { dryRun, verbose }: How): string[] {
  const { subject, outcome, before, after, problems, facts, writer } = page
  const isQuiet = outcome === 'stands' || outcome === 'empty'
  if (isQuiet && !verbose) return []
  const writes = outcome === 'new' || outcome === 'changed'
  const source = writer === builtInWriter.name ? 'the template' : 'the language model'
  const from = writes && writer ? ` from ${source}` : ''
  const parts = `${facts.parts.toLocaleString('en-US')} ${facts.parts === 1 ? 'part' : 'parts'}`
  return [
    `${fullName(subject)}: ${words[outcome]}${from} (${parts})`,
    ...problems.map(({ claim, why }) => `  rejected: “${claim}” ${why}`),
    ...(after !== undefined && writes && (dryRun || verbose) ? textDiff(before, after) : []).map(
      (line) => `  ${line}`,
    ),
  ]
}

const count = z.int().min(0)

/** Number of pages by outcome, over all runs of a job. */
export const pageTally = z.object({ new: count, changed: count, stands: count, empty: count, refused: count })
export type PageTally = z.output<typeof pageTally>

export const NO_PAGES: PageTally = { new: 0, changed: 0, stands: 0, empty: 0, refused: 0 }

export function addPages(tally: PageTally, outcomes: readonly Pick<PageOutcome, 'outcome'>[]): PageTally {
  const sum = { ...tally }
  for (const { outcome } of outcomes) sum[outcome] += 1
  return sum
}

export const pagesDone = (tally: PageTally): number =>
  tally.new + tally.changed + tally.stands + tally.empty + tally.refused
