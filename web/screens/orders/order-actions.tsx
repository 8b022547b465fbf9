import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { BuyerAction } from '#contract/order/order-steps.ts'
import type { BuyerOrder } from '#contract/order/order-views.ts'
import {
  callOrder,
  dropOrderToken,
  keepOrderToken,
  type OrderKey,
  type Refusal,
} from '#web/api/orders/order-calls.ts'
import { keepPlace } from '#web/components/orders/keep-place.ts'
import { Button } from '#web/site/button.tsx'
import { formatPrice } from '#web/site/card/listing-words.ts'
import { TextArea } from '#web/site/form/field.tsx'
import { showMessage } from '#web/site/frame/messages.tsx'
import { Notice } from '#web/site/page.tsx'
import classes from './order.module.css'

type ActionsProps = {
  order: BuyerOrder
  orderKey: OrderKey
  /** While a payment is checked, nobody should pay again. */
  isChecking: boolean
  onChange: (order: BuyerOrder) => void
}

/** What the buyer can do now, as the server says. */
export function Actions({ order, orderKey, isChecking, onChange }: ActionsProps) {
  const acting = useActing(orderKey, onChange)
  // A review stands with what comes after the sale.
  const actions = order.actions.filter((action) => action !== 'review' && !(isChecking && action === 'pay'))
  if (actions.length === 0 && !acting.refused) return null
  return (
    <section aria-label="What you can do" className={classes.actions}>
      {actions.map((action) => (
        <Action key={action} action={action} order={order} orderKey={orderKey} acting={acting} />
      ))}
      {acting.refused && <Refused acting={acting} order={order} orderKey={orderKey} />}
    </section>
  )
}

const changedMeanwhile = new Set<string | undefined>(['STATE', 'PRICE_CHANGED'])

export type Acting = ReturnType<typeof useActing>
type Path = Parameters<typeof callOrder>[0]

/** Sends one action at a time; the reply is the changed order. */
export function useActing(orderKey: OrderKey, onChange: (order: BuyerOrder) => void) {
  const [busy, setBusy] = useState<string>()
  const [refused, setRefused] = useState<Refusal>()
  const act = async (by: string, path: Path, body: object = {}): Promise<BuyerOrder | undefined> => {
    if (busy !== undefined) return undefined
    setBusy(by)
    setRefused(undefined)
    const outcome = await callOrder(path, { ...orderKey, ...body })
    setBusy(undefined)
    if ('refusal' in outcome) {
      setRefused(outcome.refusal)
      // The page shows an older order than the server has.
      const now = changedMeanwhile.has(outcome.refusal.code) && (await callOrder('/orders/read', orderKey))
      if (now && 'done' in now) onChange(now.done)
      return undefined
    }
    onChange(outcome.done)
    keepPlace()
    return outcome.done
  }
  return { busy, refused, act }
}

/** Opens the payment page, which leads back to the order's id. */
async function pay(acting: Acting, orderKey: OrderKey, { id }: BuyerOrder, expectedTotal: number | null) {
  const paying = (await acting.act('pay', '/orders/pay', { expectedTotal })) as { url?: string } | undefined
  if (paying?.url === undefined) return
  if ('token' in orderKey) keepOrderToken(id, orderKey.token)
  window.location.assign(paying.url)
}

type ActionProps = { action: BuyerAction; order: BuyerOrder; orderKey: OrderKey; acting: Acting }

function Action({ action, order, orderKey, acting }: ActionProps) {
  const { busy, act } = acting
  switch (action) {
    case 'pay':
      return (
        <Button
          look="filled"
          size="large"
          busy={busy === 'pay'}
          onClick={() => void pay(acting, orderKey, order, order.total)}
        >
          Pay {formatPrice(order.total ?? 0, 'USD')}
          {order.taxAdded && ' plus sales tax'}
        </Button>
      )
    case 'received':
      return (
        <Button
          look="filled"
          size="large"
          busy={busy === 'received'}
          onClick={() => void act('received', '/orders/received')}
        >
          It arrived
        </Button>
      )
    case 'delay':
      return (
        <>
          <Button
            look="filled"
            busy={busy === 'wait'}
            onClick={() => void act('wait', '/orders/delay', { answer: 'wait' })}
          >
            Wait for it
          </Button>
          <Button
            busy={busy === 'refund'}
            onClick={() => void act('refund', '/orders/delay', { answer: 'cancel' })}
          >
            Cancel and get my money back
          </Button>
        </>
      )
    case 'new-code':
      return (
        <Button busy={busy === 'code'} onClick={() => void act('code', '/orders/code')}>
          Get a new pickup code
        </Button>
      )
    default:
      return <Cancel isAsked={action === 'ask-cancel'} acting={acting} />
  }
}

/** Canceling, or asking the yard to, which takes a second press. */
function Cancel({ isAsked, acting: { busy, act } }: { isAsked: boolean; acting: Acting }) {
  const cancel = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get('reason')).trim()
    void act('cancel', '/orders/cancel', { reason }).then((order) => {
      if (order) showMessage(isAsked ? 'The yard was asked' : 'Order canceled')
    })
  }
  return (
    <details className={classes.more}>
      <summary>{isAsked ? 'Ask to cancel' : 'Cancel this order'}</summary>
      <form className={classes.card} onSubmit={cancel}>
        <p>
          {isAsked
            ? 'The yard has your order in hand. If it agrees, you get your money back.'
            : 'You pay nothing, and the part goes back on sale.'}
        </p>
        <TextArea label="Reason (optional)" name="reason" rows={2} maxLength={600} />
        <div>
          <Button type="submit" busy={busy === 'cancel'}>
            {isAsked ? 'Ask the yard to cancel' : 'Cancel order'}
          </Button>
        </div>
      </form>
    </details>
  )
}

type RefusedProps = { acting: Acting; order: BuyerOrder; orderKey: OrderKey }

function Refused({ acting, order, orderKey }: RefusedProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  const { code, error, quote } = acting.refused ?? { error: '' }
  const total = code === 'PRICE_CHANGED' ? (quote?.total ?? null) : null
  return (
    <div ref={place} tabIndex={-1} className={classes.wide}>
      <Notice tone={total === null ? 'bad' : 'warning'} role="alert">
        {total === null ? (
          <p>{error}</p>
        ) : (
          <>
            <p>
              The price has changed. You saw <s>{formatPrice(order.total ?? 0, 'USD')}</s>. The total is now{' '}
              <strong>{formatPrice(total, 'USD')}</strong>.
            </p>
            <Button size="small" onClick={() => void pay(acting, orderKey, order, total)}>
              Pay {formatPrice(total, 'USD')}
            </Button>
          </>
        )}
      </Notice>
    </div>
  )
}

/** For someone whose address a stranger bought with. */
export function Disown({ token, onDone }: { token: string; onDone: () => void }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const disown = async () => {
    if (busy) return
    setBusy(true)
    const outcome = await callOrder<unknown>('/orders/not-mine', { token })
    setBusy(false)
    if ('refusal' in outcome) return setProblem(outcome.refusal.error)
    dropOrderToken(token)
    onDone()
  }
  return (
    <details className={classes.more} data-quiet>
      <summary>This wasn’t me</summary>
      <div className={classes.card}>
        <p>If you didn’t buy this, we end the links to this order and the emails about it.</p>
        {problem !== undefined && (
          <Notice tone="bad" role="alert">
            {problem}
          </Notice>
        )}
        <div>
          <Button busy={busy} onClick={() => void disown()}>
            I didn’t buy this
          </Button>
        </div>
      </div>
    </details>
  )
}
