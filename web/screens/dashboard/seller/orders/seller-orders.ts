import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import type { SellerOrder } from '#contract/order/order-views.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { useSingleMutation } from '#web/components/form/use-single-mutation.ts'
import { keepPlace, placesAround } from '#web/components/orders/keep-place.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

export const orderViews = ['todo', 'open', 'all'] as const
export type OrderView = (typeof orderViews)[number]
export const viewNames: Readonly<Record<OrderView, string>> = { todo: 'To do', open: 'Open', all: 'All' }

/** Which orders are listed, as stored in the URL. */
export const noFilters = { show: 'todo', q: '' } as const
export const orderPageSizes = [24] as const
export const viewOf = (show: string): OrderView => orderViews.find((view) => view === show) ?? 'todo'

const ordersKey = ['orders', 'seller'] as const
const oneKey = (id: string) => [...ordersKey, 'one', id]

// The money is being taken: a matter of seconds.
const SOON_MS = 3_000
// A yard keeps this page open all day.
const REFRESH_MS = 60_000
const refreshMs = (orders: readonly SellerOrder[] = []) =>
  orders.some(({ state }) => state === 'capturing') ? SOON_MS : REFRESH_MS

type ListQuery = { show: OrderView; q: string; page: number; perPage: number }

export function useSellerOrders({ show, q, page, perPage }: ListQuery) {
  const query = { show, page, perPage, ...(q !== '' && { q }) }
  return useQuery({
    queryKey: [...ordersKey, 'list', query],
    queryFn: ({ signal }) => call(orderEndpoints.listSellerOrders, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refreshMs(state.data?.items),
  })
}

export function useSellerOrder(id: string) {
  return useQuery({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => call(orderEndpoints.readSellerOrder, { params: { id }, signal }),
    refetchInterval: ({ state }) => refreshMs(state.data && [state.data]),
  })
}

const MOST_A_PAGE = 100

/** All orders with something to do. */
export function useAllToDo() {
  return useQuery({
    queryKey: [...ordersKey, 'to-do'],
    queryFn: async ({ signal }) => {
      const orders: SellerOrder[] = []
      for (let page = 1; ; page++) {
        const query = { show: 'todo', page, perPage: MOST_A_PAGE } as const
        const { items, total } = await call(orderEndpoints.listSellerOrders, { query, signal })
        orders.push(...items)
        if (items.length < MOST_A_PAGE || orders.length >= total) return orders
      }
    },
  })
}

/** The link of an order's row, which has the focus while keys act on it. */
export const orderLinkId = (id: string) => `order-${id}`

type Step = { run: () => Promise<SellerOrder>; id: string; done: string }

/** Takes a step of an order. Its dialog shows a failure, or else a toast if the step has none. */
export function useOrderStep({ onDone, inDialog }: { onDone?: () => void; inDialog: boolean }) {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: ({ run }: Step) => run(),
    onSuccess: (order, { id, done }) => {
      queryClient.setQueryData(oneKey(id), order)
      const places = placesAround(document.getElementById(orderLinkId(id)))
      void queryClient.invalidateQueries({ queryKey: ordersKey }).then(() => keepPlace(places))
      notifyDone(done, { about: `order ${id}` })
      onDone?.()
    },
    onError: (error, { id }) => {
      if (!inDialog)
        notifyError(error, 'This could not be saved. Please try again.', { about: `order ${id}` })
      // Somebody else was faster, or the deadline passed.
      const isStale = error instanceof ApiError && error.code === 'STATE'
      if (isStale) void queryClient.invalidateQueries({ queryKey: ordersKey })
    },
  })
}
