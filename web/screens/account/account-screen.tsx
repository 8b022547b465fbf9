import { Badge, Card, Grid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Reply } from '#contract/endpoint.ts'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import { isEnded, orderStateLabel } from '#contract/order/order-steps.ts'
import { titlesInWords } from '#contract/order/several-words.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { Menu } from '#web/components/account/menu.tsx'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { Loaded } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import { Pager } from '#web/components/pager.tsx'
import { longDate } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import { formatPrice } from '#web/site/card/listing-words.ts'
import { Empty } from '#web/site/page.tsx'
import classes from './account.module.css'
import { OwnConversations } from './own-conversations.tsx'

const SHOWN = 24

/** What a signed-in person buys: orders first, then what helps to find the next part. */
export function Component() {
  const { user } = useSession()
  return (
    <Page title="My Orders" lead={user?.email} actions={<ButtonLink to={paths.parts}>Find parts</ButtonLink>}>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            <Orders />
            <OwnConversations />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Menu
            title="Buying"
            items={[
              { label: 'Garage and Saved Parts', to: paths.garage },
              { label: 'Saved Searches', to: paths.savedSearches },
              { label: 'Account Settings', to: paths.accountSettings },
              { label: 'My Dashboard', to: paths.userDashboard },
            ]}
          />
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function Orders() {
  const [search, setSearch] = useSearchParams()
  const page = Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1)
  const orders = useQuery({
    queryKey: ['orders', 'bought', page],
    queryFn: ({ signal }) => call(orderEndpoints.listOrders, { query: { page, perPage: SHOWN }, signal }),
  })
  return (
    <Loaded
      query={orders}
      failure="Unable to load your orders"
      waiting={<Skeleton height={220} role="status" aria-label="Loading orders…" />}
    >
      {(list) => (
        <OrderList list={list} onPage={(next) => setSearch(next === 1 ? {} : { page: String(next) })} />
      )}
    </Loaded>
  )
}

type OwnOrders = Reply<typeof orderEndpoints.listOrders>
type OrderListProps = { list: OwnOrders; onPage: (page: number) => void }

function OrderList({ list: { items, total, page }, onPage }: OrderListProps) {
  const emailConfirmed = useSession().user?.emailConfirmed
  if (total === 0) {
    return (
      <Empty
        title="No orders yet"
        text={
          emailConfirmed
            ? 'Parts that you buy are here, with what happens next.'
            : 'Confirm your email address, and orders that you made without an account are here too.'
        }
        action={<ButtonLink to={paths.parts}>Find parts</ButtonLink>}
        drawing={emptyDrawing}
      />
    )
  }
  return (
    <Stack gap="md">
      <ul className={classes.list} aria-label="Orders">
        {items.map((order) => (
          <li key={order.id}>
            <OrderCard order={order} />
          </li>
        ))}
      </ul>
      <Pager page={page} pageCount={Math.ceil(total / SHOWN)} onChange={onPage} />
    </Stack>
  )
}

function OrderCard({ order }: { order: OwnOrders['items'][number] }) {
  const { id, number, state, total, parts, sentence, createdAt, yard } = order
  return (
    <Card>
      <Stack gap={4}>
        <div className={classes.head}>
          <Text fw={600}>
            <TextLink to={paths.ownOrder(id)}>
              {titlesInWords(parts.map(({ title }) => title)) || number}
            </TextLink>
          </Text>
          <Badge color={isEnded(state) ? 'yellow' : 'sea'}>{orderStateLabel({ state, total })}</Badge>
        </div>
        <Text size="sm" className="second">
          {[number, yard.name, total === null ? undefined : formatPrice(total, 'USD'), longDate(createdAt)]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        <Text>{sentence}</Text>
      </Stack>
    </Card>
  )
}
