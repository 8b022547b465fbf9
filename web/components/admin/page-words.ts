import type { ListingPage } from '#contract/listings.ts'

/** The spec's words, with plain numbers: "Page 3 of 1250 — 5000 total"; "10000+ total" where counting stopped there. */
export function pageLine(
  page: number,
  { lastPage, total, totalIsAtLeast }: Pick<ListingPage, 'lastPage' | 'total' | 'totalIsAtLeast'>,
): string {
  return `Page ${page} of ${lastPage} — ${total}${totalIsAtLeast ? '+' : ''} total`
}

/** The page that is meant by what was typed: moved into what there is; anything that is no number is the first. */
export function clampPage(typed: number, lastPage: number): number {
  if (Number.isNaN(typed)) return 1
  return Math.min(Math.max(Math.trunc(typed), 1), lastPage)
}
