import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { type Listing, listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { paths } from '#web/paths.ts'

/** The listing at a public address; an earlier address of it is replaced by the one that counts. */
export function usePart(slug: string) {
  const navigate = useNavigate()
  const { user } = useSession()
  const part = useQuery({
    // Owner and admins see more of it, so every person has an answer of their own.
    queryKey: ['listing', 'public', slug, user?.id],
    queryFn: ({ signal }) => call(listingEndpoints.readPublic, { params: { slug }, signal }),
  })
  const current = part.data?.partslug
  useEffect(() => {
    if (current !== undefined && current !== slug) void navigate(paths.part(current), { replace: true })
  }, [slug, current, navigate])
  return part
}

/** Counts one view a visit; a seller's look at their own part is none. */
export function useViewCount(listing: Listing | undefined): void {
  const slug = listing?.status === 'ACTIVE' && !listing.mine ? listing.partslug : undefined
  useEffect(() => {
    if (slug === undefined || !isFirstView(slug)) return
    // A view that cannot be counted is nothing to trouble a buyer with.
    call(listingEndpoints.countView, { params: { slug } }).catch(() => undefined)
  }, [slug])
}

const seenHere = new Set<string>()

/** Within this visit: the tab's own storage outlives a reload, and ends with the tab. */
function isFirstView(slug: string): boolean {
  const key = `viewed:${slug}`
  if (seenHere.has(key)) return false
  seenHere.add(key)
  try {
    if (sessionStorage.getItem(key) !== null) return false
    sessionStorage.setItem(key, '1')
  } catch {
    // Storage is closed to this page; the set above remembers until the next reload.
  }
  return true
}
