import { useQuery } from '@tanstack/react-query'
import { billingEndpoints } from '#contract/billing.ts'
import { call } from '#web/api/client.ts'

/** What the payout account holds. The server has tried more than once before it says that it cannot be reached. */
export function useBalance(userId: string) {
  return useQuery({
    queryKey: ['balance', userId],
    queryFn: ({ signal }) => call(billingEndpoints.readBalance, { signal }),
    retry: false,
    staleTime: 60_000,
  })
}
