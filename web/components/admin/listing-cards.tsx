import type { Listing } from '#contract/listings.ts'
import { ListingGrid } from '#web/components/listing-card/listing-grid.tsx'
import { AdminListingCard } from './admin-listing-card.tsx'
import { useStatusSwitch } from './use-status-switch.ts'

/** Cards that stand in sight on a large screen before any scrolling. */
const inSight = 4

export function ListingCards({ items }: { items: readonly Listing[] }) {
  const status = useStatusSwitch()
  return (
    <ListingGrid>
      {items.map((listing, place) => (
        <AdminListingCard key={listing.id} listing={listing} status={status} first={place < inSight} />
      ))}
    </ListingGrid>
  )
}
