import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type LandingKind, landingKinds } from '#contract/landing.ts'
import { lockPages } from '#server/features/finding/addresses/addresses.ts'
import type { LandingText } from '#server/features/market/writing/landing-text.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type LinkChange, readLinks, writeLinks } from './link-book.ts'
import { factsHash, fullName, type PageFacts, type Subject, tableOf } from './page-facts.ts'
import { readStoredPages, upsertPages } from './pages.ts'
import type { PageOutcome } from './write-pages.ts'

/** A page's texts or links that a dry run would write, with the current ones. */
export type PageProposal =
  | {
      readonly what: 'page'
      readonly subject: Subject
      readonly before: LandingText | null
      readonly text: LandingText
      readonly facts: PageFacts
      readonly writer: string
    }
  | { readonly what: 'links'; readonly change: LinkChange }

/** A proposal in a form that people can compare. */
export type ShownProposal = {
  /** "Category page", "Links of a listing". */
  readonly label: string
  readonly title: string
  readonly before: string
  /** Undefined if no text was good enough; `why` gives the reasons. */
  readonly after: string | undefined
  readonly why: string
  readonly proposal: PageProposal
}

/** Undefined if the page keeps its texts. */
export function proposePage(page: PageOutcome): ShownProposal | undefined {
  const { subject, outcome, facts, before, after, writer, problems } = page
  if (outcome === 'stands' || outcome === 'empty') return undefined
  const text = after ?? before ?? { title: '', metaDescription: '', intro: '' }
  return {
    label: `${kindWords[subject.kind]} page`,
    title: fullName(subject),
    before: before ? shownText(before) : '',
    after: after && shownText(after),
    why: problems.map(({ claim, why }) => (claim === '' ? why : `“${claim}” ${why}`)).join('; '),
    proposal: { what: 'page', subject, before: before ?? null, text, facts, writer: writer ?? '' },
  }
}

const kindWords = { category: 'Category', manufacturer: 'Manufacturer', model: 'Model' } as const

/** The texts of a page, one per line. */
const shownText = ({ title, metaDescription, intro }: LandingText) =>
  [`Title: ${title}`, `Meta description: ${metaDescription}`, `Intro: ${intro}`].join('\n')

export function proposeLinks(change: LinkChange): ShownProposal {
  const lines = (links: LinkChange['after']) =>
    links.map(({ to, anchor }) => `${anchor} (${to.kind})`).join('\n')
  const { kind } = change.from
  return {
    label: kind === 'listing' ? 'Links of a listing' : `Links of a ${kind} page`,
    title: change.name,
    before: lines(change.before),
    // All links may have been removed; that is still a change.
    after: lines(change.after) || 'no links',
    why: '',
    proposal: { what: 'links', change },
  }
}

/**
 * Writes accepted proposals, unless the page or its links have changed since, or their lookup was deleted. Returns for
 * each whether it was written.
 */
export async function writeProposals(
  trx: Db,
  proposals: readonly PageProposal[],
  jobId: string,
): Promise<boolean[]> {
  await lockPages(trx)
  const written = new Set<PageProposal>()
  for (const kind of landingKinds) {
    const pages = proposals
      .filter((one) => one.what === 'page')
      .filter(({ subject }) => subject.kind === kind)
    for (const page of await writePagesOf(trx, kind, { pages, jobId })) written.add(page)
  }
  for (const kind of [...landingKinds, 'listing'] as const) {
    const links = proposals
      .filter((one) => one.what === 'links')
      .filter(({ change }) => change.from.kind === kind)
    for (const one of await writeLinksOf(trx, kind, links)) written.add(one)
  }
  return proposals.map((one) => written.has(one))
}

type PageTexts = Extract<PageProposal, { what: 'page' }>
type PageLinks = Extract<PageProposal, { what: 'links' }>

async function writePagesOf(
  trx: Db,
  kind: LandingKind,
  { pages, jobId }: { pages: readonly PageTexts[]; jobId: string },
): Promise<PageTexts[]> {
  if (pages.length === 0) return []
  const ids = pages.map(({ subject }) => subject.id)
  const stored = await readStoredPages(trx, kind, ids)
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(tableOf(kind))} where id = any(${ids}::uuid[]) and confirmed and merged_into is null
  `.execute(trx)
  const known = new Set(rows.map(({ id }) => id))
  const current = pages.filter(
    ({ subject, before }) =>
      known.has(subject.id) && isDeepStrictEqual(stored.get(subject.id)?.text ?? null, before),
  )
  const written = current.map(({ subject, text, facts, writer }) => {
    return { subject, text, facts, writer, factsHash: factsHash(subject, facts) }
  })
  if (written.length > 0) await upsertPages(trx, kind, { pages: written, jobId })
  return current
}

async function writeLinksOf(
  trx: Db,
  kind: LinkChange['from']['kind'],
  links: readonly PageLinks[],
): Promise<PageLinks[]> {
  if (links.length === 0) return []
  const stored = await readLinks(
    trx,
    kind,
    links.map(({ change }) => change.from.id),
  )
  const current = links.filter(({ change }) =>
    isDeepStrictEqual(anchorsOf(stored.get(change.from.id) ?? []), anchorsOf(change.before)),
  )
  await writeLinks(
    trx,
    current.map(({ change }) => change),
  )
  return current
}

/** Ignores whether targets are public, which may change any time. */
const anchorsOf = (links: LinkChange['after']) => links.map(({ to, anchor }) => ({ to, anchor }))
