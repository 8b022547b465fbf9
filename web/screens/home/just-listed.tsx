import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { ListingCard } from '#web/components/listing-card/listing-card.tsx'
import { ListingGrid } from '#web/components/listing-card/listing-grid.tsx'
import { ListingSkeleton } from '#web/components/listing-card/listing-skeleton.tsx'
import { paths } from '#web/paths.ts'
import classes from './home.module.css'

const shown = 4

/** The newest parts. Left out where there is nothing to show or the list does not answer: the page lives without it. */
export function JustListed() {
  const newest = useQuery({
    queryKey: ['just-listed'],
    queryFn: ({ signal }) =>
      call(listingEndpoints.listPublic, { params: { page: 1 }, query: { perPage: shown }, signal }),
    staleTime: 60_000,
  })
  if (newest.isLoadingError || newest.data?.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="just-listed">
      <div className={classes.sectionHead}>
        <h2 id="just-listed">Just listed</h2>
        <Anchor component={Link} to={paths.parts}>
          See all parts
        </Anchor>
      </div>
      {newest.isPending ? (
        <ListingSkeleton count={shown} withActions={false} />
      ) : (
        <ListingGrid>
          {newest.data.map((listing) => (
            <ListingCard key={listing.id} listing={listing} to={paths.part(listing.partslug)} heading="h3" />
          ))}
        </ListingGrid>
      )}
    </section>
  )
}
