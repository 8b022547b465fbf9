import { useQuery } from '@tanstack/react-query'
import { landingEndpoints } from '#contract/landing.ts'
import type { Listing } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { RelatedLinks } from '#web/components/landing/related-links.tsx'

/** Where a part leads; nothing while that is not known. */
export function Related({ listing: { partslug: slug, status } }: { listing: Listing }) {
  const { data } = useQuery({
    queryKey: ['listing', 'related', slug],
    queryFn: ({ signal }) => call(landingEndpoints.readRelated, { params: { slug }, signal }),
    enabled: status === 'ACTIVE',
  })
  return data ? <RelatedLinks links={data} /> : null
}
