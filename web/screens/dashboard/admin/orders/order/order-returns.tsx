import { Button, NativeSelect, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { AdminOrder } from '#contract/order/order-views.ts'
import { returnEndpoints } from '#contract/order/returns/return-calls.ts'
import type { OrderReturn } from '#contract/order/returns/return-views.ts'
import { call } from '#web/api/client.ts'
import { NumberField } from '#web/components/form/number-field.tsx'
import { dollars } from '#web/components/orders/order-facts.ts'
import { ReturnsCards, returnTitle } from '#web/components/orders/returns-card.tsx'
import { problemOf, StepDialog } from '#web/components/orders/step-dialog.tsx'
import { useAdminStep } from '#web/screens/dashboard/admin/orders/admin-orders.ts'

/** What comes back of an order; what buyer and yard do not agree on is decided here. */
export function OrderReturns({ order }: { order: AdminOrder }) {
  const [deciding, setDeciding] = useState<OrderReturn>()
  return (
    <>
      <ReturnsCards
        order={order}
        readPhoto={(photoId) =>
          call(returnEndpoints.readAnyReturnPhoto, { params: { id: order.id, photoId } })
        }
        actionsOf={(one) =>
          one.actions.length > 0 && (
            <div>
              <Button onClick={() => setDeciding(one)}>Decide</Button>
            </div>
          )
        }
      />
      {deciding && <DecideDialog order={order} one={deciding} onClose={() => setDeciding(undefined)} />}
    </>
  )
}

const decisions = ['refund', 'allow', 'split', 'refuse'] as const
type Decision = (typeof decisions)[number]

const labels: Readonly<Record<Decision, (one: OrderReturn) => string>> = {
  refund: ({ amount }) => `For the buyer: ${dollars(amount)} goes back now`,
  allow: () => 'For the buyer, who sends the part back first',
  split: () => 'Divide the amount',
  refuse: () => 'For the yard: nothing goes back',
}

type DecideProps = { order: AdminOrder; one: OrderReturn; onClose: () => void }

function DecideDialog({ order: { id }, one, onClose }: DecideProps) {
  const possible = decisions.filter((decision) => one.actions.includes(decision))
  const [decision, setDecision] = useState<Decision>(possible[0] ?? 'refund')
  const [amount, setAmount] = useState<number>()
  const step = useAdminStep(id, { inDialog: true, onDone: onClose })
  return (
    <StepDialog
      title={returnTitle(one)}
      submit="Decide"
      sending={step}
      onClose={onClose}
      onSubmit={(form) => {
        const body = {
          decision,
          reason: String(form.get('reason')),
          ...(decision === 'split' && amount !== undefined && { amount }),
        }
        const run = () => call(returnEndpoints.decideReturn, { params: { id, returnId: one.id }, body })
        step.mutate({ run, done: 'Decided' })
      }}
    >
      <NativeSelect
        label="Decision"
        data={possible.map((value) => ({ value, label: labels[value](one) }))}
        value={decision}
        onChange={(event) => setDecision(event.currentTarget.value as Decision)}
        data-autofocus
      />
      {decision === 'split' && (
        <NumberField
          label="Goes back to the buyer"
          prefix="$"
          min={0.01}
          max={one.amount}
          decimals={2}
          value={amount}
          onChange={setAmount}
          error={problemOf(step.error, 'amount')}
        />
      )}
      <Textarea
        label="Reason"
        description="The buyer and the yard read this."
        name="reason"
        autosize
        minRows={2}
        maxLength={600}
        error={problemOf(step.error, 'reason')}
      />
    </StepDialog>
  )
}
