import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { useParams } from 'react-router'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import type { SellerOrder } from '#contract/order/order-views.ts'
import { phoneLink } from '#contract/text/phone-parts.ts'
import { call } from '#web/api/client.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { FileButton } from '#web/components/downloads.tsx'
import { Now, OrderCards, OrderPage } from '#web/components/orders/order-page.tsx'
import { OrderMoney, Refunds, SoldParts, Timeline } from '#web/components/orders/order-pieces.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { paths } from '#web/paths.ts'
import { OrderButtons } from '#web/screens/dashboard/seller/orders/order-row.tsx'
import { Address, useOrderActs } from '#web/screens/dashboard/seller/orders/order-steps.tsx'
import { useSellerOrder } from '#web/screens/dashboard/seller/orders/seller-orders.ts'
import { firstName } from '#web/screens/dashboard/seller/orders/to-do.ts'
import { DisputeCard } from './dispute-card.tsx'
import classes from './order.module.css'
import { OrderReturns } from './order-returns.tsx'

/** One order: what happens next, who bought what, and where the money is. */
export function Component() {
  const { id = '' } = useParams()
  const order = useSellerOrder(id)
  return (
    <OrderPage
      query={order}
      list={{ to: paths.sellerOrders, label: 'Orders' }}
      missing={{
        title: 'This order is not one of yours',
        text: 'It belongs to another account, or the address is wrong.',
        to: `${paths.sellerOrders}?show=all`,
      }}
      actions={order.data && <PackingSlip order={order.data} />}
    >
      {(loaded) => <Order order={loaded} />}
    </OrderPage>
  )
}

/** Parts that are sold, or may be on their way, go with a slip. */
const hasSlip = ({ state }: SellerOrder) =>
  state === 'confirmed' ||
  state === 'ready' ||
  state === 'shipped' ||
  state === 'delivered' ||
  state === 'closed'

function PackingSlip({ order }: { order: SellerOrder }) {
  if (!hasSlip(order)) return null
  return (
    <FileButton
      read={() => call(orderEndpoints.readPackingSlip, { params: { id: order.id } })}
      name={`packing-slip-${order.number}.pdf`}
    >
      Packing slip
    </FileButton>
  )
}

function Order({ order }: { order: SellerOrder }) {
  const { act, busyId, dialog } = useOrderActs()
  const { state, cancelAsked, parts, refunds, timeline, actions } = order
  return (
    <Stack gap="md">
      <Now order={order}>
        {cancelAsked !== null && actions.includes('refund') && (
          <Alert color="warning" variant="light" title={`${firstName(order.buyer.name)} asked to cancel`}>
            {cancelAsked !== '' && <Text>“{cancelAsked}”</Text>}
            <Text>Refund everything to agree, or go on with the order.</Text>
          </Alert>
        )}
        {actions.includes('restock') && (
          <Text fw={650}>
            {state === 'not-found'
              ? 'If the part turns up, you can put it back on sale.'
              : 'Is the part back on the shelf, or scrapped?'}
          </Text>
        )}
        <OrderButtons order={order} act={act} isBusy={busyId === order.id} className={classes.buttons} />
      </Now>
      <OrderCards
        left={
          <>
            <DisputeCard order={order} />
            <OrderReturns order={order} />
            <SectionCard
              title={parts.length > 1 ? 'Parts as sold' : 'Part as sold'}
              lead="What the buyer saw. Later changes to the listing do not count."
            >
              <SoldParts parts={parts} />
            </SectionCard>
            <SectionCard title="What happened">
              <Timeline entries={timeline} />
            </SectionCard>
          </>
        }
        right={
          <>
            <Buyer order={order} />
            <SectionCard title="Money">
              <OrderMoney order={order} />
              <Refunds refunds={refunds} />
            </SectionCard>
          </>
        }
      />
      {dialog}
    </Stack>
  )
}

function Buyer({ order }: { order: SellerOrder }) {
  const { buyer, delivery, vin, vinConfirmed, shelf, shipment } = order
  const isHidden = buyer.email === null
  const facts = [
    {
      name: delivery === 'ship' ? 'Ship to' : 'Pickup',
      value: delivery === 'ship' ? <Address order={order} /> : `${buyer.name} comes to your yard`,
    },
    ...(buyer.phone === null ? [] : [{ name: 'Phone', value: <Phone phone={buyer.phone} /> }]),
    ...(buyer.email === null
      ? []
      : [{ name: 'Email', value: <Anchor href={`mailto:${buyer.email}`}>{buyer.email}</Anchor> }]),
    ...(vin === null
      ? []
      : [{ name: 'Buyer’s VIN', value: vinConfirmed ? `${vin}, you said it fits` : vin }]),
    ...(shelf === null ? [] : [{ name: 'Shelf', value: shelf }]),
    ...(shipment === null
      ? []
      : [
          {
            name: 'Shipped',
            value:
              shipment.url === null ? (
                [shipment.carrierName, shipment.tracking].filter(Boolean).join(' ')
              ) : (
                <Anchor href={shipment.url} target="_blank" rel="noreferrer">
                  {shipment.carrierName} {shipment.tracking}
                </Anchor>
              ),
          },
        ]),
  ]
  return (
    <SectionCard
      title={buyer.name}
      lead={
        isHidden &&
        (order.state === 'authorized' || order.state === 'capturing' || order.state === 'quoting') &&
        'Street, phone and email appear once the order is confirmed.'
      }
    >
      <Facts facts={facts} />
    </SectionCard>
  )
}

function Phone({ phone }: { phone: string }) {
  const href = phoneLink(phone)
  return href ? <Anchor href={href}>{phone}</Anchor> : phone
}
