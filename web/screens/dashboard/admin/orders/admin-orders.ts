import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import { orderStates } from '#contract/order/order-steps.ts'
import type { AdminOrder } from '#contract/order/order-views.ts'
import { call } from '#web/api/client.ts'
import { useSingleMutation } from '#web/components/form/use-single-mutation.ts'
import { keepPlace } from '#web/components/orders/keep-place.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

/** Which orders are listed, as stored in the URL. */
export const noFilters = { q: '', state: '', sellerId: '' } as const
export const orderPageSizes = [24] as const

const ordersKey = ['orders', 'admin'] as const
const oneKey = (id: string) => [...ordersKey, 'one', id]

type ListQuery = { q: string; state: string; sellerId: string; page: number; perPage: number }

export function useOrders({ q, state, sellerId, page, perPage }: ListQuery) {
  const known = orderStates.find((one) => one === state)
  const query = {
    page,
    perPage,
    ...(q !== '' && { q }),
    ...(known && { state: known }),
    ...(sellerId !== '' && { sellerId }),
  }
  return useQuery({
    queryKey: [...ordersKey, 'list', query],
    queryFn: ({ signal }) => call(orderEndpoints.listAllOrders, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

export const MOST_WAITING = 10

/** Orders that somebody has to look at. */
export const useAttention = () =>
  useQuery({
    queryKey: [...ordersKey, 'waiting'],
    queryFn: ({ signal }) =>
      call(orderEndpoints.listAllOrders, { query: { attention: true, perPage: MOST_WAITING }, signal }),
    refetchInterval: 60_000,
  })

export const useOrder = (id: string) =>
  useQuery({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => call(orderEndpoints.readAnyOrder, { params: { id }, signal }),
  })

export const useLedger = (id: string) =>
  useQuery({
    queryKey: [...ordersKey, 'ledger', id],
    queryFn: ({ signal }) => call(orderEndpoints.readOrderLedger, { params: { id }, signal }),
  })

type Step = { run: () => Promise<AdminOrder>; done: string }

/** A hold, its release, or a refund. Its dialog shows a failure, or else a toast. */
export function useAdminStep(id: string, { onDone, inDialog }: { onDone?: () => void; inDialog: boolean }) {
  const queryClient = useQueryClient()
  const about = `order ${id}`
  return useSingleMutation({
    mutationFn: ({ run }: Step) => run(),
    onSuccess: (order, { done }) => {
      queryClient.setQueryData(oneKey(id), order)
      void queryClient.invalidateQueries({ queryKey: ordersKey }).then(() => keepPlace())
      notifyDone(done, { about })
      onDone?.()
    },
    onError: (error) => {
      if (!inDialog) notifyError(error, 'This could not be saved. Please try again.', { about })
    },
  })
}
