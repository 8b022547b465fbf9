import { useCallback, useEffect, useRef, useState } from 'react'
import { isEnded, LEFT_PAYMENT } from '#contract/order/order-steps.ts'
import type { BuyerOrder } from '#contract/order/order-views.ts'
import { callOrder, type OrderKey, type Refusal } from '#web/api/orders/order-calls.ts'

/** How the browser came: back from the payment page, paid or not, or by a link. */
export type Arrival = 'paid' | 'left' | undefined

/** For this long the page says that it is checking the payment; later, that it has not heard yet. */
const CHECKING_MS = 60_000
const CHECK_EVERY_MS = 2_000
const STILL_CHECK_EVERY_MS = 10_000
/** A page that stays open follows what the yard does. */
const FOLLOW_EVERY_MS = 60_000

/** An order as the server has it, read again while it can change. The page never decides itself that it is paid. */
export function useOrder(key: OrderKey, arrival: Arrival) {
  const [order, setOrder] = useState<BuyerOrder>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [reads, setReads] = useState(0)
  const [openedAt] = useState(Date.now)
  const keyText = JSON.stringify(key)
  const leaving = useRef(arrival === 'left')

  const read = useCallback(
    async (signal?: AbortSignal) => {
      const named: OrderKey = JSON.parse(keyText)
      let outcome = await callOrder('/orders/read', named, signal)
      // Only an unpaid order: a payment may have come in while the buyer turned back.
      if (leaving.current && 'done' in outcome && outcome.done.state === 'pending') {
        leaving.current = false
        outcome = await callOrder('/orders/cancel', { ...named, reason: LEFT_PAYMENT }, signal)
      }
      if (signal?.aborted) return
      if ('done' in outcome) setOrder(outcome.done)
      setRefusal('refusal' in outcome ? outcome.refusal : undefined)
      setReads((before) => before + 1)
    },
    [keyText],
  )

  useEffect(() => {
    const controller = new AbortController()
    const readIfSeen = () => void (document.visibilityState === 'visible' && read(controller.signal))
    void read(controller.signal)
    document.addEventListener('visibilitychange', readIfSeen)
    return () => {
      controller.abort()
      document.removeEventListener('visibilitychange', readIfSeen)
    }
  }, [read])

  const isAwaited = arrival === 'paid' && order?.state === 'pending'
  const checkedMs = Date.now() - openedAt
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each read, the next one
  useEffect(() => {
    if (!order || isEnded(order.state) || order.state === 'closed') return
    const timer = setTimeout(() => void read(), waitMs(order, isAwaited ? checkedMs : undefined))
    return () => clearTimeout(timer)
  }, [order, reads, read])

  return {
    order,
    setOrder,
    refusal,
    readAgain: () => void read(),
    /** `checking` for a minute after a payment; then it is late. */
    payment: isAwaited ? paymentAfter(checkedMs) : undefined,
  }
}

const paymentAfter = (ms: number) => (ms < CHECKING_MS ? ('checking' as const) : ('late' as const))

/** Until the next look: soon after a payment, and right after a deadline. */
function waitMs({ deadline }: BuyerOrder, checkedMs: number | undefined): number {
  if (checkedMs !== undefined) return checkedMs < CHECKING_MS ? CHECK_EVERY_MS : STILL_CHECK_EVERY_MS
  const leftMs = deadline ? Date.parse(deadline.at) - Date.now() : FOLLOW_EVERY_MS
  return Math.min(FOLLOW_EVERY_MS, leftMs > 0 ? leftMs + CHECK_EVERY_MS : STILL_CHECK_EVERY_MS)
}
