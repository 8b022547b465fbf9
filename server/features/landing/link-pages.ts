import type { LandingKind } from '#contract/landing.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { BookedPage, LinkBook, LinkEnd } from './link-book.ts'
import { isChanged, type LinkChange } from './link-change.ts'
import { readLinks, writeLinks } from './link-queries.ts'
import type { LinkWords } from './link-words.ts'
import { listNewestOf } from './linked-listing-queries.ts'

export type Linking = {
  readonly db: Db
  readonly book: LinkBook
  readonly words: LinkWords
  readonly dryRun: boolean
  /** Also what has its links, and with new words. */
  readonly force: boolean
  readonly inOneTransaction: <T>(work: (trx: Db) => Promise<T>) => Promise<T>
  readonly signal: AbortSignal
}

type PageLinking = Linking & {
  /** The last statement of the transaction in which links of pages are written. */
  readonly saveCheckpoint: (pages: readonly BookedPage[], changed: number, trx: Db) => Promise<void>
}

export type LinkedPages = { readonly pages: readonly BookedPage[]; readonly changes: readonly LinkChange[] }

const PAGES_AT_ONCE = 50
const NEWEST = 3

/** Chooses where the pages of lookups lead: to pages that are akin and to their newest listings. */
export async function* linkPages(
  pages: readonly BookedPage[],
  linking: PageLinking,
): AsyncGenerator<LinkedPages> {
  for (const [kind, its] of Map.groupBy(pages, (page) => page.kind)) {
    for (let from = 0; from < its.length; from += PAGES_AT_ONCE) {
      linking.signal.throwIfAborted()
      yield await linkSome(kind, its.slice(from, from + PAGES_AT_ONCE), linking)
    }
  }
}

async function linkSome(
  kind: LandingKind,
  pages: readonly BookedPage[],
  linking: PageLinking,
): Promise<LinkedPages> {
  const { db, book, words, force, dryRun, inOneTransaction, saveCheckpoint } = linking
  const ids = pages.map(({ id }) => id)
  const newest = await listNewestOf(db, kind, { ids, most: NEWEST })
  const stored = await readLinks(db, kind, ids)
  const changes: LinkChange[] = []
  for (const page of pages) {
    const from: LinkEnd = { kind, id: page.id }
    const before = stored.get(page.id) ?? []
    const targets = [
      ...book.relatedTo(page).map((related) => ({ page: related })),
      ...(newest.get(page.id) ?? []).map((listing) => ({ listing })),
    ]
    const after = await words.link(from, targets, force ? [] : before)
    changes.push({ from, name: page.name, before, after })
  }
  const changed = changes.filter(isChanged)
  if (!dryRun) {
    await inOneTransaction(async (trx) => {
      await writeLinks(trx, changed)
      await saveCheckpoint(pages, changed.length, trx)
    })
  }
  return { pages, changes: changed }
}
