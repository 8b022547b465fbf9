import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { SellerAction } from '#contract/order/order-steps.ts'
import type { SellerOrder } from '#contract/order/order-views.ts'
import { deadlineInWords } from '#contract/order/order-words.ts'
import { ButtonLink } from '#web/components/links.tsx'
import { dollars, partsInWords } from '#web/components/orders/order-facts.ts'
import { OrderBadges } from '#web/components/orders/order-pieces.tsx'
import { timeAgo, zonedMomentWords } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import type { Act } from './order-steps.tsx'
import classes from './orders.module.css'
import { orderLinkId } from './seller-orders.ts'
import { firstName, toDoOf } from './to-do.ts'

type OrderRowProps = { order: SellerOrder; act: Act; isBusy: boolean }

export function OrderRow({ order, act, isBusy }: OrderRowProps) {
  const { id, number, state, total, createdAt, parts, shelf } = order
  const toDo = toDoOf(order)
  const stock = parts.flatMap(({ stockNumber }) => (stockNumber === null ? [] : [`Stock # ${stockNumber}`]))
  const place = [shelf, ...stock].filter(Boolean).join(' · ')
  return (
    <li className={classes.row} data-todo={toDo !== undefined || undefined}>
      <div className={classes.what}>
        <p className={classes.todo}>{toDo?.title ?? <OrderBadges {...order} />}</p>
        {toDo && order.needsAttention && <OrderBadges {...order} />}
        {toDo?.at && <Deadline at={toDo.at} zone={toDo.zone ?? order.deadline?.zone} />}
      </div>
      <div className={classes.part}>
        <Link id={orderLinkId(id)} to={paths.sellerOrder(id)} className={classes.title}>
          {partsInWords(parts)}
        </Link>
        {place !== '' && <p className={classes.shelf}>{place}</p>}
        <p className={classes.who}>
          {whoAndWhere(order)} · {number} ·{' '}
          <time dateTime={createdAt} title={zonedMomentWords(createdAt)}>
            {timeAgo(createdAt, new Date())}
          </time>
        </p>
      </div>
      <p className={classes.amount}>
        {total === null ? <span className="second">Price to come</span> : dollars(total)}
        {state === 'confirmed' || state === 'ready' || state === 'shipped' ? <small>Paid</small> : null}
      </p>
      <OrderButtons order={order} act={act} isBusy={isBusy} className={classes.buttons}>
        {toDo?.onPage && (
          <ButtonLink size="sm" to={paths.sellerOrder(id)} aria-label={`${toDo.onPage}, order ${number}`}>
            {toDo.onPage}
          </ButtonLink>
        )}
      </OrderButtons>
    </li>
  )
}

function whoAndWhere({ buyer, delivery }: SellerOrder): string {
  const name = firstName(buyer.name)
  if (delivery === 'pickup') return `${name} picks it up`
  return buyer.address === null ? name : `${name}, ${buyer.address.city} ${buyer.address.state}`
}

function Deadline({ at, zone: ofYard }: { at: string; zone: string | undefined }) {
  const zone = ofYard ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <p className={classes.deadline} data-late={Date.parse(at) < Date.now() || undefined}>
      by <time dateTime={at}>{deadlineInWords(at, zone)}</time>
    </p>
  )
}

const labels: Readonly<Record<SellerAction, string>> = {
  quote: 'Name price',
  confirm: 'Found it',
  'not-found': 'Not found',
  ship: 'Ship',
  ready: 'Ready for pickup',
  'hand-over': 'Hand over',
  refund: 'Refund',
  restock: 'Back on sale',
}

/** What goes forward; the first of these that is allowed is the main button. */
const forward: readonly SellerAction[] = ['confirm', 'quote', 'ship', 'ready', 'hand-over', 'restock']

type OrderButtonsProps = OrderRowProps & {
  className: string | undefined
  /** What comes before them. */
  children?: ReactNode
}

/** What the yard can do now. */
export function OrderButtons({ order, act, isBusy, className, children }: OrderButtonsProps) {
  const { actions, number, total, state } = order
  const main = order.cancelAsked === null ? forward.find((action) => actions.includes(action)) : 'refund'
  const sorted = [...actions].sort((a, b) => Number(b === main) - Number(a === main))
  if (sorted.length === 0 && !children) return null
  return (
    <div className={className}>
      {children}
      {sorted.map((action) => (
        <Button
          key={action}
          size="sm"
          variant={action === main ? 'filled' : 'default'}
          onClick={() => act(order, action)}
          loading={isBusy && (action === 'ready' || action === 'restock')}
          aria-label={`${action === 'quote' && total !== null ? 'Change price' : labelOf(action, state)}, order ${number}`}
        >
          {action === 'quote' && total !== null ? 'Change price' : labelOf(action, state)}
        </Button>
      ))}
      {actions.includes('restock') && state !== 'not-found' && (
        <Button
          size="sm"
          variant="default"
          onClick={() => act(order, 'scrap')}
          aria-label={`Scrapped, order ${number}`}
        >
          Scrapped
        </Button>
      )}
    </div>
  )
}

const labelOf = (action: SellerAction, state: SellerOrder['state']) =>
  action === 'restock' && state === 'not-found' ? 'It turned up' : labels[action]
