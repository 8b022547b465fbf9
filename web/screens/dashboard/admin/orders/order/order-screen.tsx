import { Alert, Anchor, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'react-router'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import type { AdminOrder } from '#contract/order/order-views.ts'
import { call } from '#web/api/client.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { askToConfirm } from '#web/components/confirm.tsx'
import { TextLink } from '#web/components/links.tsx'
import { Now, OrderCards, OrderPage } from '#web/components/orders/order-page.tsx'
import { OrderMoney, Refunds, SoldParts, Timeline } from '#web/components/orders/order-pieces.tsx'
import { RefundDialog } from '#web/components/orders/refund-dialog.tsx'
import { problemOf, StepDialog } from '#web/components/orders/step-dialog.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { paths } from '#web/paths.ts'
import { useAdminStep, useOrder } from '#web/screens/dashboard/admin/orders/admin-orders.ts'
import { DisputeCard } from './dispute-card.tsx'
import { LedgerCard } from './ledger-card.tsx'
import classes from './order.module.css'
import { OrderReturns } from './order-returns.tsx'

/** One order, for administrators: what happened, where its money is, and hold, release and refund. */
export function Component() {
  const { id = '' } = useParams()
  return (
    <OrderPage
      query={useOrder(id)}
      list={{ to: paths.manageOrders, label: 'Manage Orders' }}
      missing={{ title: 'There is no such order', text: 'The address is wrong.', to: paths.manageOrders }}
    >
      {(order) => <Order order={order} />}
    </OrderPage>
  )
}

function Order({ order }: { order: AdminOrder }) {
  const { id, parts, refunds, timeline, attention, held, heldReason, dispute } = order
  return (
    <Stack gap="md">
      <Now order={order} lead="The yard reads:">
        {attention !== null && (
          <Alert color="warning" variant="light" title="Needs attention">
            {attention}
          </Alert>
        )}
        {held && (
          <Alert color="bad" variant="light" title="On hold">
            {heldReason}
          </Alert>
        )}
        <Actions order={order} />
      </Now>
      <OrderCards
        left={
          <>
            {dispute !== null && <DisputeCard id={id} />}
            <OrderReturns order={order} />
            <SectionCard title={parts.length > 1 ? 'Parts as sold' : 'Part as sold'}>
              <SoldParts parts={parts} />
              <Group gap="md">
                {parts.map(({ listingId, slug, title }) =>
                  slug === null ? null : (
                    <TextLink key={listingId} to={paths.manageListing(slug)}>
                      Edit listing{parts.length > 1 ? `: ${title}` : ''}
                    </TextLink>
                  ),
                )}
              </Group>
            </SectionCard>
            <LedgerCard id={id} />
            <SectionCard title="What happened">
              <Timeline entries={timeline} />
            </SectionCard>
          </>
        }
        right={
          <>
            <SectionCard title="Money">
              <OrderMoney order={order} />
              <Refunds refunds={refunds} />
            </SectionCard>
            <People order={order} />
            <Provider order={order} />
          </>
        }
      />
    </Stack>
  )
}

function Actions({ order }: { order: AdminOrder }) {
  const { id, number, actions } = order
  const [opened, setOpened] = useState<'hold' | 'refund'>()
  const close = () => setOpened(undefined)
  const releasing = useAdminStep(id, { inDialog: false })
  const release = async () => {
    const isSure = await askToConfirm({
      title: `Release order ${number}?`,
      text: 'Its deadlines go on, and the yard can act again.',
      confirm: 'Release order',
    })
    const run = () => call(orderEndpoints.releaseOrder, { params: { id } })
    if (isSure) releasing.mutate({ run, done: 'Order released' })
  }
  return (
    <Group gap="sm">
      {actions.includes('release') && (
        <Button onClick={() => void release()} loading={releasing.isPending}>
          Release order
        </Button>
      )}
      {actions.includes('hold') && (
        <Button variant="default" onClick={() => setOpened('hold')}>
          Hold order
        </Button>
      )}
      {actions.includes('refund') && (
        <Button variant="light" color="bad" onClick={() => setOpened('refund')}>
          Refund
        </Button>
      )}
      {opened === 'hold' && <HoldDialog order={order} onClose={close} />}
      {opened === 'refund' && <RefundAnyOrder order={order} onClose={close} />}
    </Group>
  )
}

type DialogProps = { order: AdminOrder; onClose: () => void }

function HoldDialog({ order: { id, number }, onClose }: DialogProps) {
  const step = useAdminStep(id, { inDialog: true, onDone: onClose })
  return (
    <StepDialog
      title={`Hold order ${number}`}
      submit="Hold order"
      sending={step}
      onClose={onClose}
      onSubmit={(form) => {
        const body = { reason: String(form.get('reason')) }
        step.mutate({
          run: () => call(orderEndpoints.holdOrder, { params: { id }, body }),
          done: 'Order on hold',
        })
      }}
    >
      <Text>Nothing is captured, shipped or handed over until you release it.</Text>
      <Textarea
        label="Reason"
        description="Only administrators read it. The yard and the buyer see that we are checking the order."
        name="reason"
        autosize
        minRows={2}
        maxLength={600}
        data-autofocus
        error={problemOf(step.error, 'reason')}
      />
    </StepDialog>
  )
}

function RefundAnyOrder({ order, onClose }: DialogProps) {
  const { id } = order
  const step = useAdminStep(id, { inDialog: true, onDone: onClose })
  return (
    <RefundDialog
      order={order}
      sending={step}
      onClose={onClose}
      onRefund={(body) =>
        step.mutate({
          run: () => call(orderEndpoints.refundAnyOrder, { params: { id }, body }),
          done: 'Refund started',
        })
      }
    />
  )
}

function People({ order }: { order: AdminOrder }) {
  const { buyer, yard, sellerId, delivery, vin, vinConfirmed } = order
  const { address } = buyer
  const lines = address && [
    address.line1,
    address.line2,
    [address.city, `${address.state} ${address.zip}`].join(', '),
  ]
  return (
    <SectionCard title="Buyer and yard">
      <Facts
        facts={[
          { name: 'Buyer', value: buyer.name },
          ...(buyer.email === null
            ? []
            : [{ name: 'Email', value: <Anchor href={`mailto:${buyer.email}`}>{buyer.email}</Anchor> }]),
          ...(buyer.phone === null ? [] : [{ name: 'Phone', value: buyer.phone }]),
          {
            name: delivery === 'ship' ? 'Ship to' : 'Delivery',
            value: delivery === 'ship' ? lines?.filter(Boolean).join(', ') : 'Pickup',
          },
          ...(vin === null ? [] : [{ name: 'VIN', value: `${vin}${vinConfirmed ? ', confirmed' : ''}` }]),
          {
            name: 'Yard',
            value: (
              <TextLink to={`${paths.manageUsers}?${new URLSearchParams({ q: yard.name })}`}>
                {yard.name}
              </TextLink>
            ),
          },
          {
            name: 'Orders of this yard',
            value: <TextLink to={`${paths.manageOrders}?sellerId=${sellerId}`}>See all</TextLink>,
          },
        ]}
      />
      <EndLinks order={order} />
    </SectionCard>
  )
}

/** If somebody else has the buyer's email or link. */
function EndLinks({ order: { id, number } }: { order: AdminOrder }) {
  const ending = useAdminStep(id, { inDialog: false })
  const end = async () => {
    const isSure = await askToConfirm({
      title: `End all links to order ${number}?`,
      text: 'Links in emails about it stop working. The buyer can ask for new ones with the order’s email address.',
      confirm: 'End links',
    })
    const run = () => call(orderEndpoints.endOrderLinks, { params: { id } })
    if (isSure) ending.mutate({ run, done: 'Links ended' })
  }
  return (
    <Group>
      <Button variant="default" onClick={() => void end()} loading={ending.isPending}>
        End links
      </Button>
    </Group>
  )
}

function Provider({ order: { provider } }: { order: AdminOrder }) {
  const none = <span className="second">none yet</span>
  return (
    <SectionCard title="At the payment provider">
      <Facts
        facts={[
          {
            name: 'Session',
            value: provider.session === null ? none : <code className={classes.id}>{provider.session}</code>,
          },
          {
            name: 'Payment',
            value: provider.payment === null ? none : <code className={classes.id}>{provider.payment}</code>,
          },
        ]}
      />
    </SectionCard>
  )
}
