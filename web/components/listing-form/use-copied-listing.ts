import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { duplicateValues, valuesOfListing } from './listing-values.ts'
import type { FormContent } from './use-listing-form.ts'

/** The listing that the address says to copy (`?from=its-slug`); nothing is read where it names none. */
export function useCopiedListing() {
  const slug = useSearchParams()[0].get('from') ?? ''
  const copy = useQuery({
    queryKey: ['listing-copy', slug],
    queryFn: ({ signal }) => readCopy(slug, signal),
    enabled: slug !== '',
    // A form that is being filled in does not change below the fingers.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { slug, copy }
}

async function readCopy(slug: string, signal: AbortSignal): Promise<FormContent> {
  const listing = await call(listingEndpoints.readPublic, { params: { slug }, signal })
  const values = duplicateValues(valuesOfListing(listing))
  const picture = listing.imageUrl === null ? undefined : await readPicture(listing.imageUrl, signal)
  return { values, picture }
}

/** The copied picture as a file to send again; a copy without one is still worth having. */
async function readPicture(address: string, signal: AbortSignal): Promise<File | undefined> {
  try {
    const answer = await fetch(address, { signal })
    if (!answer.ok) return undefined
    const content = await answer.blob()
    return new File([content], 'copied-picture', { type: content.type })
  } catch {
    return undefined
  }
}
