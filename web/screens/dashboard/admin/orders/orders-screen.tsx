import { Button, Group, NativeSelect, SimpleGrid, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { orderStateLabels, orderStates } from '#contract/order/order-steps.ts'
import type { AdminOrder } from '#contract/order/order-views.ts'
import { deadlineInWords } from '#contract/order/order-words.ts'
import { useSite } from '#web/api/site.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { Moment } from '#web/components/admin/records.tsx'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { type ListControls, useListState } from '#web/components/listing-filters/list-state.ts'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { dollars, partsInWords } from '#web/components/orders/order-facts.ts'
import { OrderBadges } from '#web/components/orders/order-pieces.tsx'
import { returnTitle } from '#web/components/orders/returns-card.tsx'
import { Page } from '#web/components/page/page.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { Pager } from '#web/components/pager.tsx'
import records from '#web/components/records-list.module.css'
import { type Column, NoSuchPage, RecordsList } from '#web/components/records-list.tsx'
import { paths } from '#web/paths.ts'
import { Empty } from '#web/site/page.tsx'
import { MOST_WAITING, noFilters, orderPageSizes, useAttention, useOrders } from './admin-orders.ts'
import { BooksCard } from './books-card.tsx'
import classes from './orders.module.css'

/** Orders where parts can be bought; elsewhere "Coming soon", as the spec has it. */
export function Component() {
  const { data: site } = useSite()
  if (site === undefined) return null
  if (site.orders) return <ManageOrders />
  return (
    <Suspense fallback={null}>
      <ComingSoon />
    </Suspense>
  )
}

const ComingSoon = lazy(async () => ({
  default: (await import('#web/screens/being-built/being-built-screen.tsx')).Component,
}))

type Controls = ListControls<typeof noFilters>

function ManageOrders() {
  const list = useListState(noFilters, orderPageSizes)
  const orders = useOrders({ ...list.filters, page: list.page, perPage: list.perPage })
  const found = orders.data
  return (
    <Page
      title="Manage Orders"
      lead="Every order: its state, its money, and what needs a decision."
      actions={
        <ButtonLink to={paths.books} variant="default">
          Books
        </ButtonLink>
      }
    >
      {!list.isFiltered && list.page === 1 && <Attention />}
      <FilterBar list={list} />
      <RecordsList
        query={orders}
        items={found?.items}
        failed="Unable to load the orders"
        loading="Loading orders…"
        skeleton={{ rows: 8, height: 64 }}
        columns={columns}
        empty={<NoOrders list={list} total={found?.total ?? 0} />}
        summary={
          found && (
            <Text role="status" fw={600}>
              {found.total.toLocaleString('en-US')} {found.total === 1 ? 'order' : 'orders'}
            </Text>
          )
        }
        footer={
          found &&
          found.items.length > 0 && (
            <Group justify="flex-end">
              <Pager
                page={list.page}
                pageCount={Math.ceil(found.total / found.perPage)}
                onChange={list.turnTo}
                label="Pages of orders"
              />
            </Group>
          )
        }
      />
      <BooksCard />
    </Page>
  )
}

/** What needs a decision, above everything else. */
function Attention() {
  const { data } = useAttention()
  if (!data || data.items.length === 0) return null
  const { items, counts } = data
  return (
    <SectionCard title={`Needs attention (${counts.attention.toLocaleString('en-US')})`} mb="lg">
      <ul className={classes.attention}>
        {items.map((order) => (
          <li key={order.id}>
            <TextLink to={paths.manageOrder(order.id)} fw={650}>
              {order.number}
            </TextLink>{' '}
            {whyLook(order)}
            <Text size="sm" className="second">
              {partsInWords(order.parts)} · {order.yard.name}
            </Text>
          </li>
        ))}
      </ul>
      {counts.attention > MOST_WAITING && <Text size="sm">The newest {MOST_WAITING} are shown.</Text>}
    </SectionCard>
  )
}

function whyLook({ dispute, attention, heldReason, returns }: AdminOrder): string {
  return [
    dispute?.state === 'needs-response' &&
      dispute.canAnswer &&
      `Disputed: send the evidence${dispute.dueBy === null ? '' : ` by ${deadlineInWords(dispute.dueBy, dispute.zone)}`}.`,
    attention ?? (heldReason === null ? '' : `On hold: ${heldReason}`),
    ...returns.filter(({ state }) => state === 'deciding').map((one) => `Decide: ${returnTitle(one)}.`),
  ]
    .filter(Boolean)
    .join(' ')
}

function NoOrders({ list, total }: { list: Controls; total: number }) {
  if (total > 0) return <NoSuchPage page={list.page} onFirst={() => list.turnTo(1)} />
  return list.isFiltered ? (
    <Empty
      title="No orders match these filters."
      text="Search by order number, email, name, part, or an id of the payment provider."
      action={<Button onClick={list.clear}>Clear filters</Button>}
      drawing={emptyDrawing}
    />
  ) : (
    <Empty
      title="No orders yet."
      text="Orders appear here as soon as somebody buys a part."
      drawing={emptyDrawing}
    />
  )
}

const stateChoices = [
  { value: '', label: 'All states' },
  ...orderStates.map((state) => ({ value: state, label: orderStateLabels[state] })),
]

function FilterBar({ list: { filters, change } }: { list: Controls }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" mb="lg">
      <SearchInput
        label="Search"
        placeholder="order, email, name, part, pi_…"
        maxLength={100}
        value={filters.q}
        onSearch={(q) => change({ q }, { typing: true })}
      />
      <NativeSelect
        label="State"
        data={stateChoices}
        value={filters.state}
        onChange={(event) => change({ state: event.currentTarget.value })}
      />
      {filters.sellerId !== '' && (
        <Button
          variant="default"
          style={{ alignSelf: 'flex-end', justifySelf: 'start' }}
          onClick={() => change({ sellerId: '' })}
        >
          Show every yard
        </Button>
      )}
    </SimpleGrid>
  )
}

const columns: readonly Column<AdminOrder>[] = [
  {
    header: 'Order',
    cell: ({ id, number, createdAt }) => (
      <>
        <TextLink to={paths.manageOrder(id)} fw={650}>
          {number}
        </TextLink>
        <Text size="sm" className="second">
          <Moment at={createdAt} />
        </Text>
      </>
    ),
  },
  { header: 'State', cell: (order) => <OrderBadges {...order} /> },
  {
    header: 'Part',
    className: records.details,
    cell: ({ parts, yard }) => (
      <>
        <Text>{partsInWords(parts)}</Text>
        <Text size="sm" className="second">
          {yard.name}
        </Text>
      </>
    ),
  },
  {
    header: 'Buyer',
    cell: ({ buyer }) => (
      <>
        <Text>{buyer.name}</Text>
        {buyer.email !== null && (
          <Text size="sm" className="second">
            {buyer.email}
          </Text>
        )}
      </>
    ),
  },
  {
    header: 'Total',
    labeled: true,
    numeric: true,
    cell: ({ total, money }) => (
      <>
        <Text fw={650}>{total === null ? '–' : dollars(total)}</Text>
        {money.refunded > 0 && (
          <Text size="sm" className="second">
            {dollars(money.refunded)} refunded
          </Text>
        )}
      </>
    ),
  },
]
