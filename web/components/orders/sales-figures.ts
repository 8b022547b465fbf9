import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { analyticsPeriods } from '#contract/analytics.ts'
import { bookEndpoints } from '#contract/order/money/book-calls.ts'
import { call } from '#web/api/client.ts'

/** What the yard sold here in the last days; undefined where it does not sell online and never did. */
export function useSales(days: (typeof analyticsPeriods)[number]) {
  const { data } = useQuery({
    queryKey: ['sales', days],
    queryFn: ({ signal }) => call(bookEndpoints.readSales, { query: { days }, signal }),
    placeholderData: keepPreviousData,
  })
  return data && (data.enabled || data.totals.orders > 0 || data.previous.orders > 0) ? data : undefined
}
