import { Skeleton, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SellerOrder } from '#contract/order/order-views.ts'
import { deadlineInWords } from '#contract/order/order-words.ts'
import { ApiError } from '#web/api/failures.ts'
import { ButtonLink } from '#web/components/links.tsx'
import { Loaded } from '#web/components/page/load-error.tsx'
import { Page, Trail } from '#web/components/page/page.tsx'
import { Empty } from '#web/site/page.tsx'
import { nextId } from './keep-place.ts'
import classes from './order-page.module.css'
import { OrderBadges } from './order-pieces.tsx'

type OrderName = Pick<
  SellerOrder,
  'number' | 'state' | 'total' | 'held' | 'disputed' | 'dispute' | 'needsAttention'
>

type OrderPageProps<Order extends OrderName> = {
  query: UseQueryResult<Order>
  list: { to: string; label: string }
  /** What to say if there is no such order, and where all of them are. */
  missing: { title: string; text: string; to: string }
  actions?: ReactNode
  children: (order: Order) => ReactNode
}

/** The page of one order, in each of its states: loading, failed, missing, or there. */
export function OrderPage<Order extends OrderName>(props: OrderPageProps<Order>) {
  const { query, list, missing, actions, children } = props
  const { data, error } = query
  return (
    <Page
      title={data ? `Order ${data.number}` : 'Order'}
      aside={data && <OrderBadges {...data} />}
      actions={actions}
    >
      <Trail links={[list]} here={data?.number ?? 'Order'} />
      {isMissing(error) && !data ? (
        <Empty
          title={missing.title}
          text={missing.text}
          action={
            <ButtonLink variant="default" to={missing.to}>
              See all orders
            </ButtonLink>
          }
        />
      ) : (
        <Loaded
          query={query}
          failure="Unable to load this order"
          waiting={<Skeleton height={320} radius="lg" role="status" aria-label="Loading the order…" />}
        >
          {children}
        </Loaded>
      )}
    </Page>
  )
}

/** A malformed id (400) is also "not found" to the user. */
const isMissing = (error: unknown) =>
  error instanceof ApiError && (error.status === 404 || error.status === 400)

type NowProps = {
  order: Pick<SellerOrder, 'sentence' | 'deadline'>
  /** Before the sentence, if it is addressed to somebody else. */
  lead?: string
  children: ReactNode
}

/** The state read aloud, until when, and what can be done about it. */
export function Now({ order: { sentence, deadline }, lead, children }: NowProps) {
  return (
    <div id={nextId} tabIndex={-1} className={classes.now}>
      <div role="status">
        {lead !== undefined && <Text className="second">{lead}</Text>}
        <p className={classes.sentence}>{sentence}</p>
        {deadline && (
          <Text className="second">
            Deadline: <time dateTime={deadline.at}>{deadlineInWords(deadline.at, deadline.zone)}</time>
          </Text>
        )}
      </div>
      {children}
    </div>
  )
}

/** Cards side by side: what was sold and what happened; people and money. */
export function OrderCards({ left, right }: { left: ReactNode; right: ReactNode }) {
  return (
    <div className={classes.columns}>
      <Stack gap="md">{left}</Stack>
      <Stack gap="md">{right}</Stack>
    </div>
  )
}
