import { useQuery } from '@tanstack/react-query'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import { call } from '#web/api/client.ts'

export const sellingKey = ['selling']

/** Whether and how the signed-in yard sells online. */
export const useOwnSelling = () =>
  useQuery({
    queryKey: sellingKey,
    queryFn: ({ signal }) => call(orderEndpoints.readSelling, { signal }),
  })
