import { toColumns } from '#server/features/listings/listing-columns.ts'
import { contactText, type DemoSeller } from './demo-sellers.ts'
import type { YardColumns } from './listing-row.ts'

/** What the listings of each seller say of their yard; `ids` are those of the sellers by e-mail. */
export function demoYards(
  sellers: readonly DemoSeller[],
  ids: ReadonlyMap<string, string>,
): (seller: DemoSeller) => YardColumns {
  const yards = new Map<DemoSeller, YardColumns>(
    sellers.map((seller) => {
      const sellerId = ids.get(seller.email)
      if (sellerId === undefined) throw new Error(`there is no account of ${seller.email}`)
      return [seller, { sellerId, contact: toColumns(contactText(seller)) }]
    }),
  )
  return (seller) => {
    const yard = yards.get(seller)
    if (!yard) throw new Error(`${seller.email} is no seller of the demo data`)
    return yard
  }
}
