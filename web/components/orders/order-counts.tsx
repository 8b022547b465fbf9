import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import { call } from '#web/api/client.ts'
import { useSite } from '#web/api/site.ts'

function useOrderCounts() {
  const { data } = useQuery({
    queryKey: ['orders', 'seller', 'counts'],
    queryFn: async ({ signal }) =>
      (await call(orderEndpoints.listSellerOrders, { query: { show: 'todo', perPage: 1 }, signal })).counts,
    // Polls, because the menu may stay open for hours.
    refetchInterval: 60_000,
  })
  return data
}

/** Whether this yard can have orders: a switched-off installation still finishes those it has. */
export function useHasOrders(): boolean {
  const isOn = useOrdersOn()
  const open = useOrderCounts()?.open ?? 0
  return isOn || open > 0
}

/** Whether parts can be bought in this installation. */
export const useOrdersOn = (): boolean => useSite().data?.orders ?? false

/** "3 to do" next to the link to the orders; nothing if there is nothing to do. */
export function OrdersToDo() {
  const toDo = useOrderCounts()?.todo ?? 0
  return toDo > 0 ? <Badge size="md">{toDo.toLocaleString('en-US')} to do</Badge> : null
}
