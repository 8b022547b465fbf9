import { NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import { type Carrier, carriers, type SellerAction } from '#contract/order/order-steps.ts'
import type { SellerOrder } from '#contract/order/order-views.ts'
import { call } from '#web/api/client.ts'
import { NumberField } from '#web/components/form/number-field.tsx'
import { partsInWords } from '#web/components/orders/order-facts.ts'
import { RefundDialog } from '#web/components/orders/refund-dialog.tsx'
import { problemOf, StepDialog } from '#web/components/orders/step-dialog.tsx'
import { notifyProblem } from '#web/components/toasts.tsx'
import { ConfirmDialog, type DialogProps, NotFoundDialog } from './finding-parts.tsx'
import { useOrderStep } from './seller-orders.ts'
import { firstName, isThere } from './to-do.ts'

type DialogAction = Exclude<SellerAction, 'ready' | 'restock'>
type Asked = { order: SellerOrder; action: DialogAction }

export type Act = (order: SellerOrder, action: SellerAction | 'scrap') => void

/** What the buttons and keys of orders do: some steps at once, the others after a dialog. */
export function useOrderActs(): { act: Act; busyId: string | undefined; dialog: ReactNode } {
  const [asked, setAsked] = useState<Asked>()
  const step = useOrderStep({ inDialog: false })
  const act: Act = (order, action) => {
    const { id } = order
    if (action === 'ready') {
      const run = () => call(orderEndpoints.readyOrder, { params: { id } })
      return step.mutate({ id, run, done: 'Ready for pickup' })
    }
    if (action === 'restock' || action === 'scrap') {
      const answer = action === 'scrap' ? 'scrap' : 'sell'
      const run = () => call(orderEndpoints.restockOrder, { params: { id }, body: { answer } })
      return step.mutate({ id, run, done: answer === 'sell' ? 'Back on sale' : 'Part scrapped' })
    }
    // A key can ask for what this order does not allow now.
    if (order.actions.includes(action)) setAsked({ order, action })
    else notifyProblem(`Order ${order.number} does not need that now.`, { about: `order ${id}` })
  }
  const busyId = step.isPending ? step.variables.id : undefined
  const Dialog = asked && dialogs[asked.action]
  return {
    act,
    busyId,
    dialog: Dialog && <Dialog key={asked.order.id} order={asked.order} onClose={() => setAsked(undefined)} />,
  }
}

const carrierChoices = Object.entries(carriers).map(([value, label]) => ({ value, label }))

function ShipDialog({ order, onClose }: DialogProps) {
  const { id } = order
  const step = useOrderStep({ inDialog: true, onDone: onClose })
  return (
    <StepDialog
      title="Ship the part"
      submit="Mark as shipped"
      sending={step}
      onClose={onClose}
      onSubmit={(form) => {
        const body = { carrier: form.get('carrier') as Carrier, tracking: String(form.get('tracking')) }
        const run = () => call(orderEndpoints.shipOrder, { params: { id }, body })
        step.mutate({ id, run, done: 'Order shipped' })
      }}
    >
      <Text fw={650}>{partsInWords(order.parts.filter(isThere))}</Text>
      <Address order={order} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NativeSelect
          label="Carrier"
          name="carrier"
          data={carrierChoices}
          data-autofocus
          error={problemOf(step.error, 'carrier')}
        />
        <TextInput
          label="Tracking number (optional)"
          name="tracking"
          maxLength={60}
          autoComplete="off"
          error={problemOf(step.error, 'tracking')}
        />
      </SimpleGrid>
    </StepDialog>
  )
}

/** As on a parcel. */
export function Address({ order: { buyer } }: { order: Pick<SellerOrder, 'buyer'> }) {
  const { address } = buyer
  if (address === null) return null
  return (
    <address style={{ fontStyle: 'normal' }}>
      {[
        buyer.name,
        address.line1,
        address.line2,
        [address.city, `${address.state} ${address.zip}`].filter(Boolean).join(', '),
      ]
        .filter(Boolean)
        .map((line) => (
          <div key={line}>{line}</div>
        ))}
    </address>
  )
}

function HandOverDialog({ order, onClose }: DialogProps) {
  const { id } = order
  const step = useOrderStep({ inDialog: true, onDone: onClose })
  return (
    <StepDialog
      title="Hand over the part"
      submit="Hand over"
      sending={step}
      onClose={onClose}
      onSubmit={(form) => {
        const run = () =>
          call(orderEndpoints.handOverOrder, { params: { id }, body: { code: String(form.get('code')) } })
        step.mutate({ id, run, done: 'Part handed over' })
      }}
    >
      <TextInput
        label="Pickup code"
        description={`${firstName(order.buyer.name)} has it on the order’s page and in the email. Hand over nothing without it.`}
        name="code"
        inputMode="numeric"
        autoComplete="off"
        placeholder="123 456"
        maxLength={20}
        data-autofocus
        error={problemOf(step.error, 'code')}
      />
    </StepDialog>
  )
}

function QuoteDialog({ order, onClose }: DialogProps) {
  const { id, buyer, lines } = order
  const saved = lines.find(({ kind }) => kind === 'shipping')?.amount
  const [shipping, setShipping] = useState(saved)
  const [days, setDays] = useState<number | undefined>(5)
  const step = useOrderStep({ inDialog: true, onDone: onClose })
  const place = [buyer.address?.city, buyer.address?.state, buyer.address?.zip].filter(Boolean).join(' ')
  return (
    <StepDialog
      title="Name the shipping price"
      submit="Send price"
      sending={step}
      onClose={onClose}
      onSubmit={() => {
        // Without a number, the server says what is missing.
        const body = { shipping: shipping as number, days: days as number }
        const run = () => call(orderEndpoints.quoteOrder, { params: { id }, body })
        step.mutate({ id, run, done: 'Price sent' })
      }}
    >
      <Text>
        {partsInWords(order.parts)} to {place === '' ? buyer.name : place}. {firstName(buyer.name)} has 48
        hours to pay.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NumberField
          label="Shipping"
          prefix="$"
          min={0}
          max={100_000}
          decimals={2}
          value={shipping}
          onChange={setShipping}
          data-autofocus
          error={problemOf(step.error, 'shipping')}
        />
        <NumberField
          label="Days to ship"
          min={1}
          max={60}
          value={days}
          onChange={setDays}
          error={problemOf(step.error, 'days')}
        />
      </SimpleGrid>
    </StepDialog>
  )
}

function RefundOrder({ order, onClose }: DialogProps) {
  const { id } = order
  const step = useOrderStep({ inDialog: true, onDone: onClose })
  return (
    <RefundDialog
      order={order}
      sending={step}
      onClose={onClose}
      onRefund={(body) => {
        const run = () => call(orderEndpoints.refundOrder, { params: { id }, body })
        step.mutate({ id, run, done: 'Refund started' })
      }}
    />
  )
}

const dialogs: Readonly<Record<DialogAction, (props: DialogProps) => ReactNode>> = {
  confirm: ConfirmDialog,
  'not-found': NotFoundDialog,
  ship: ShipDialog,
  'hand-over': HandOverDialog,
  quote: QuoteDialog,
  refund: RefundOrder,
}
