import type { ListingPage } from '#contract/listings.ts'

/** "16 of 5,000 products shown"; "10,000+" where counting stopped. */
export function shownOf(
  shown: number,
  { total, totalIsAtLeast }: Pick<ListingPage, 'total' | 'totalIsAtLeast'>,
): string {
  const all = `${total.toLocaleString('en-US')}${totalIsAtLeast ? '+' : ''}`
  return `${shown.toLocaleString('en-US')} of ${all} products shown`
}

/** Each record once, where it came first. */
export function uniqueById<Item extends { id: string }>(items: readonly Item[]): Item[] {
  const seen = new Set<string>()
  return items.filter(({ id }) => !seen.has(id) && seen.add(id))
}
