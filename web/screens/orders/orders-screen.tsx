import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { callOrder, type OrderKey, orderKeyOf } from '#web/api/orders/order-calls.ts'
import { useSession } from '#web/api/session.ts'
import sheet from '#web/artwork/sheet.svg?url'
import { loginFrom, paths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/site/button.tsx'
import { TextField } from '#web/site/form/field.tsx'
import { Head } from '#web/site/head.tsx'
import { Empty, Notice, Page } from '#web/site/page.tsx'
import classes from './order.module.css'
import { type Arrival, useOrder } from './use-order.ts'

// Comes while the order is read.
const loadView = () => import('./order.tsx')
const OrderView = lazy(async () => ({ default: (await loadView()).OrderView }))

/** A buyer's order: by the link of an email, or back from the payment page. */
export function Component() {
  const named = useNamedOrder()
  return (
    <>
      <Head title="Your order" noindex />
      {named === undefined && <Opening />}
      {named === null && <NoOrder />}
      {named && <OpenedOrder key={JSON.stringify(named.orderKey)} {...named} />}
    </>
  )
}

type Named = { orderKey: OrderKey; arrival: Arrival }

/**
 * The order that the address names; undefined until hydration, null if it names none that this browser can open. A token is
 * removed from the address bar, where it could be copied with the URL, and kept in the history entry for a reload.
 */
function useNamedOrder(): Named | null | undefined {
  const { hash, pathname, search, state } = useLocation()
  const { token: session } = useSession()
  const navigate = useNavigate()
  const [named, setNamed] = useState<Named | null>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: who is signed in decides whether an id opens the order
  useEffect(() => {
    if (hash !== '') {
      void navigate(pathname, { replace: true, state: { token: hash.slice(1) } })
      return
    }
    const query = new URLSearchParams(search)
    const id = query.get('order')
    const token = (state as { token?: string } | null)?.token
    const orderKey = id === null ? token && { token } : orderKeyOf(id)
    const arrival = (['paid', 'left'] as const).find((name) => query.has(name))
    setNamed(orderKey ? { orderKey, arrival } : null)
  }, [hash, pathname, search, state, navigate, session])
  return named
}

const Opening = () => (
  <Page heading="Your order" width="text">
    <p role="status">Opening your order…</p>
    <noscript>
      <p>This page needs JavaScript. Without it, reply to the emails about your order.</p>
    </noscript>
  </Page>
)

function OpenedOrder({ orderKey, arrival }: Named) {
  const { order, setOrder, refusal, readAgain, payment } = useOrder(orderKey, arrival)
  useEffect(() => void loadView(), [])
  if (order) {
    return (
      <Suspense fallback={<Opening />}>
        <OrderView
          order={order}
          orderKey={orderKey}
          payment={payment}
          hasLeft={arrival === 'left'}
          problem={refusal?.error}
          onChange={setOrder}
        />
      </Suspense>
    )
  }
  if (!refusal) return <Opening />
  if (refusal.code === 'LINK_EXPIRED' || refusal.code === 'NOT_FOUND') {
    return <NoOrder problem="This link no longer works." />
  }
  return (
    <Page heading="Your order" width="text">
      <Empty
        title="The order could not be opened"
        text={refusal.error}
        action={<Button onClick={readAgain}>Try again</Button>}
      />
    </Page>
  )
}

/** Without a link: sign in, or get the links again. */
function NoOrder({ problem }: { problem?: string }) {
  const { user } = useSession()
  return (
    <Page heading="Your orders" width="text">
      <div className={classes.stack}>
        {problem !== undefined && (
          <Notice tone="warning" role="alert">
            {problem}
          </Notice>
        )}
        {user ? (
          <Empty
            drawing={sheet}
            title="Your orders are in your account"
            action={
              <ButtonLink to={paths.account} look="filled">
                See my orders
              </ButtonLink>
            }
          />
        ) : (
          <p>
            Each email about an order has a link that opens it. If you have an account,{' '}
            <Link to={loginFrom(paths.account)}>log in</Link> to see all of them.
          </p>
        )}
        <SendLinks />
      </div>
    </Page>
  )
}

function SendLinks() {
  const [busy, setBusy] = useState(false)
  const [sentTo, setSentTo] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    setBusy(true)
    const outcome = await callOrder<unknown>('/orders/links', { email })
    setBusy(false)
    setProblem('refusal' in outcome ? (outcome.refusal.fields?.email ?? outcome.refusal.error) : undefined)
    if ('done' in outcome) setSentTo(email)
  }
  return (
    <form className={classes.card} aria-labelledby="links" noValidate onSubmit={(event) => void send(event)}>
      <h2 id="links">Send my links again</h2>
      <TextField
        label="Email"
        description="The address you bought with."
        name="email"
        type="email"
        autoComplete="email"
        maxLength={254}
        required
        error={problem}
      />
      <div>
        <Button type="submit" busy={busy}>
          Send my links
        </Button>
      </div>
      <p role="status">
        {sentTo !== undefined && `If you bought something as ${sentTo}, the links are on their way.`}
      </p>
    </form>
  )
}
