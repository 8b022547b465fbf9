import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { analyticsEndpoints } from '#contract/analytics.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import type { Period } from './figures.ts'

export function useAnalytics(days: Period) {
  return useQuery({
    queryKey: ['analytics', days],
    queryFn: ({ signal }) => call(analyticsEndpoints.sellerAnalytics, { query: { days }, signal }),
    // The figures of before stay until the next ones are there.
    placeholderData: keepPreviousData,
  })
}

/** Whether there is anything on sale; undefined while that is not known. */
export function useHasListings(): boolean | undefined {
  const { user } = useSession()
  const { data } = useQuery({
    // The command center's: whoever comes from there knows it already.
    queryKey: ['figures', user?.id],
    queryFn: ({ signal }) => call(analyticsEndpoints.sellerFigures, { signal }),
  })
  return data && data.activeListings > 0
}
