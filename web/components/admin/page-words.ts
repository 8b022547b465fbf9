import type { ListingPage } from '#contract/listings.ts'

/** "Page 3 of 1,250 — 5,000 total"; "10,000+ total" where counting stopped there. */
export function pageLine(
  page: number,
  { lastPage, total, totalIsAtLeast }: Pick<ListingPage, 'lastPage' | 'total' | 'totalIsAtLeast'>,
): string {
  const number = (value: number) => value.toLocaleString('en-US')
  return `Page ${number(page)} of ${number(lastPage)} — ${number(total)}${totalIsAtLeast ? '+' : ''} total`
}

/** The page that is meant by what was typed: moved into what there is; anything that is no number is the first. */
export function clampPage(typed: number, lastPage: number): number {
  if (Number.isNaN(typed)) return 1
  return Math.min(Math.max(Math.trunc(typed), 1), lastPage)
}
