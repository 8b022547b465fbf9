import { ActionIcon, Button, Group, Tooltip } from '@mantine/core'
import { IconKeyboard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Answer } from '#contract/endpoint.ts'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import { call } from '#web/api/client.ts'
import empty from '#web/artwork/empty.svg?url'
import { ButtonLink } from '#web/components/links.tsx'
import { type ListControls, useListState } from '#web/components/listing-filters/list-state.ts'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { Page } from '#web/components/page/page.tsx'
import tabs from '#web/components/page/tabs.module.css'
import { Pager } from '#web/components/pager.tsx'
import { NoSuchPage, RecordsList } from '#web/components/records-list.tsx'
import { paths, sellingSettings } from '#web/paths.ts'
import { Empty } from '#web/site/page.tsx'
import { OrderRow } from './order-row.tsx'
import { OrderShortcuts } from './order-shortcuts.tsx'
import { useOrderActs } from './order-steps.tsx'
import classes from './orders.module.css'
import {
  noFilters,
  type OrderView,
  orderPageSizes,
  orderViews,
  useSellerOrders,
  viewNames,
  viewOf,
} from './seller-orders.ts'

type OrderPage = Answer<typeof orderEndpoints.listSellerOrders>
type Controls = ListControls<typeof noFilters>

const searchFieldId = 'order-search'

/** The yard's orders, what is to do first. */
export function Component() {
  const list = useListState(noFilters, orderPageSizes)
  const show = viewOf(list.filters.show)
  const orders = useSellerOrders({ show, q: list.filters.q, page: list.page, perPage: list.perPage })
  const { act, busyId, dialog } = useOrderActs()
  const [isHelping, setHelping] = useState(false)
  const found = orders.data
  return (
    <Page
      title="Orders"
      lead="What buyers ordered from you, and what to do next."
      actions={
        <>
          <ButtonLink to={paths.payouts} variant="default">
            Payouts
          </ButtonLink>
          <ButtonLink to={paths.statements} variant="default">
            Statements
          </ButtonLink>
          <ButtonLink to={paths.pullList} variant="default">
            Pull list
          </ButtonLink>
          <ButtonLink to={paths.shipByFile} variant="default">
            Ship by file
          </ButtonLink>
          <Tooltip label="Keyboard shortcuts (?)">
            <ActionIcon
              variant="default"
              size={36}
              aria-label="Keyboard shortcuts (?)"
              className={classes.keys}
              onClick={() => setHelping(true)}
            >
              <IconKeyboard size={20} />
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      <ViewTabs show={show} counts={found?.counts} />
      <SearchInput
        id={searchFieldId}
        aria-label="Search orders"
        placeholder="Order, part, buyer, or stock number"
        maxLength={100}
        mb="lg"
        value={list.filters.q}
        onSearch={(q) => list.change({ q }, { typing: true })}
      />
      <RecordsList
        query={orders}
        items={found?.items}
        failed="Unable to load your orders"
        loading="Loading your orders…"
        skeleton={{ rows: 5, height: 96 }}
        empty={found && <Nothing list={list} show={show} found={found} />}
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
      >
        {(items, isBusy) => (
          <ul className={classes.rows} aria-label={`${viewNames[show]} orders`} aria-busy={isBusy}>
            {items.map((order) => (
              <OrderRow key={order.id} order={order} act={act} isBusy={busyId === order.id} />
            ))}
          </ul>
        )}
      </RecordsList>
      {dialog}
      <OrderShortcuts
        opened={isHelping}
        onClose={() => setHelping(false)}
        onHelp={() => setHelping(true)}
        onSearch={() => document.getElementById(searchFieldId)?.focus()}
        orders={found?.items ?? []}
        act={act}
      />
    </Page>
  )
}

const searchOf = (show: OrderView) => (show === noFilters.show ? '' : `?show=${show}`)

function ViewTabs({ show, counts }: { show: OrderView; counts: OrderPage['counts'] | undefined }) {
  return (
    <nav aria-label="Orders by what is to do" className={tabs.bar}>
      {orderViews.map((view) => (
        <Link
          key={view}
          className={tabs.tab}
          to={{ search: searchOf(view) }}
          preventScrollReset
          aria-current={view === show ? 'page' : undefined}
        >
          {viewNames[view]}{' '}
          {view !== 'all' && (
            <span className={classes.count}>{counts?.[view].toLocaleString('en-US') ?? ''}</span>
          )}
        </Link>
      ))}
    </nav>
  )
}

function Nothing({ list, show, found }: { list: Controls; show: OrderView; found: OrderPage }) {
  if (found.total > 0) return <NoSuchPage page={list.page} onFirst={() => list.turnTo(1)} />
  if (list.filters.q !== '') {
    return (
      <Empty
        title="No orders match this search."
        text="Try an order number, part of a part’s name, or the buyer’s name."
        action={
          show === 'all' ? (
            <Button onClick={list.clear}>Clear search</Button>
          ) : (
            <Button onClick={() => list.change({ show: 'all' })}>Search all orders</Button>
          )
        }
      />
    )
  }
  return <NoOrders show={show} />
}

const noOrders: Readonly<Record<OrderView, { title: string; text: string }>> = {
  todo: { title: 'Nothing to do', text: 'New orders appear here, and we email you about each of them.' },
  open: { title: 'No open orders', text: 'Orders are open until the part is delivered.' },
  all: { title: 'No orders yet', text: 'When a buyer pays for one of your parts, the order appears here.' },
}

/** A yard that does not sell online yet gets no orders, so it is shown how to start. */
function NoOrders({ show }: { show: OrderView }) {
  const { data } = useQuery({
    queryKey: ['selling'],
    queryFn: ({ signal }) => call(orderEndpoints.readSelling, { signal }),
  })
  const isOff = data?.available === true && !data.enabled
  const { title, text } = noOrders[show]
  return (
    <Empty
      title={title}
      text={isOff ? 'Buyers can pay for your parts here once you sell online.' : text}
      {...(show === 'all' && { drawing: empty })}
      action={
        <>
          {isOff && <ButtonLink to={sellingSettings}>Start selling online</ButtonLink>}
          {show !== 'all' && (
            <ButtonLink variant="default" to={{ search: searchOf('all') }}>
              See all orders
            </ButtonLink>
          )}
        </>
      }
    />
  )
}
