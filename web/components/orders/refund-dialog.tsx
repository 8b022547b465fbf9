import { Checkbox, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { SellerOrder } from '#contract/order/order-views.ts'
import type { LineKind, OrderAmount } from '#contract/order/order-quote.ts'
import { NumberField } from '#web/components/form/number-field.tsx'
import { dollars, lineLabels, refundable } from './order-facts.ts'
import classes from './refund-dialog.module.css'
import { problemOf, type Sending, StepDialog } from './step-dialog.tsx'

type Refund = { lines: OrderAmount[]; reason: string }

type RefundDialogProps = {
  order: Pick<SellerOrder, 'number' | 'lines' | 'refunds' | 'cancelAsked' | 'buyer'>
  sending: Sending
  onClose: () => void
  onRefund: (refund: Refund) => void
}

type Draft = { kind: LineKind; most: number; chosen: boolean; amount: number | undefined }

/** Refunds an order line by line; at first, everything that is left. */
export function RefundDialog({ order, sending, onClose, onRefund }: RefundDialogProps) {
  const [drafts, setDrafts] = useState<Draft[]>(() =>
    refundable(order).map(({ kind, amount }) => ({ kind, most: amount, chosen: true, amount })),
  )
  const [problem, setProblem] = useState<string>()
  const change = (kind: LineKind, changes: Partial<Draft>) => {
    setProblem(undefined)
    setDrafts((before) => before.map((draft) => (draft.kind === kind ? { ...draft, ...changes } : draft)))
  }
  const chosen = drafts.filter((draft) => draft.chosen)
  const total = chosen.reduce((sum, { amount = 0 }) => sum + amount, 0)
  const submit = (form: FormData) => {
    if (chosen.length === 0) return setProblem('Choose what to refund')
    if (chosen.some(({ amount }) => !amount)) return setProblem('Enter each amount')
    onRefund({
      lines: chosen.map(({ kind, amount = 0 }) => ({ kind, amount })),
      reason: String(form.get('reason')).trim(),
    })
  }
  return (
    <StepDialog
      title={`Refund order ${order.number}`}
      submit={`Refund ${dollars(total)}`}
      destroys
      sending={sending}
      onClose={onClose}
      onSubmit={submit}
    >
      <Stack gap="xs" role="group" aria-label="What to refund">
        {drafts.map(({ kind, most, chosen, amount }) => (
          <div key={kind} className={classes.line}>
            <Checkbox
              label={lineLabels[kind]}
              checked={chosen}
              onChange={(event) => change(kind, { chosen: event.currentTarget.checked })}
            />
            <NumberField
              aria-label={`${lineLabels[kind]}, dollars to refund`}
              prefix="$"
              min={0.01}
              max={most}
              decimals={2}
              value={amount}
              disabled={!chosen}
              onChange={(value) => change(kind, { amount: value })}
            />
            <Text size="sm" className={`second ${classes.most}`}>
              of {dollars(most)}
            </Text>
          </div>
        ))}
      </Stack>
      {problem !== undefined && (
        <Text role="alert" c="var(--mantine-color-error)">
          {problem}
        </Text>
      )}
      <Textarea
        label="Reason"
        description={`${order.buyer.name} reads this.`}
        name="reason"
        autosize
        minRows={2}
        maxLength={600}
        defaultValue={order.cancelAsked === null ? '' : 'You asked to cancel.'}
        error={problemOf(sending.error, 'reason')}
      />
    </StepDialog>
  )
}
