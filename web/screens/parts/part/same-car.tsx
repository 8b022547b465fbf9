import { Anchor, Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Listing, listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { ListingCard } from '#web/components/listing-card/listing-card.tsx'
import { ListingGrid } from '#web/components/listing-card/listing-grid.tsx'
import { paths } from '#web/paths.ts'

/** One row of cards on a large screen. */
const shown = 4

/** The public list, narrowed to the model of this listing. */
export function sameModelPath({ partmanuId, partmodelId }: Listing): string {
  return `${paths.parts}?${new URLSearchParams({ manuId: partmanuId ?? '', modelId: partmodelId ?? '' })}`
}

/** Other parts of the same model; nothing where there are none. */
export function SameCar({ listing }: { listing: Listing }) {
  const modelId = listing.partmodelId ?? ''
  const { data } = useQuery({
    queryKey: ['listings', 'same-model', modelId],
    queryFn: ({ signal }) =>
      call(listingEndpoints.searchPublic, { query: { modelId, perPage: shown + 1 }, signal }),
    enabled: modelId !== '',
  })
  const others = (data?.items ?? []).filter(({ id }) => id !== listing.id).slice(0, shown)
  if (others.length === 0) return null
  return (
    <Stack component="section" aria-labelledby="same-car" gap="md">
      <Group justify="space-between">
        <Title order={2} id="same-car">
          More from this car
        </Title>
        <Anchor component={Link} to={sameModelPath(listing)}>
          See all {listing.partmanuname} {listing.partmodel} parts
        </Anchor>
      </Group>
      <ListingGrid>
        {others.map((other) => (
          <ListingCard key={other.id} listing={other} to={paths.part(other.partslug)} heading="h3" />
        ))}
      </ListingGrid>
    </Stack>
  )
}
