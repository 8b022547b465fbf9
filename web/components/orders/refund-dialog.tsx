import { Checkbox, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { taxBack } from '#contract/order/money/sales-tax.ts'
import type { LineKind, OrderAmount } from '#contract/order/order-quote.ts'
import type { SellerOrder } from '#contract/order/order-views.ts'
import { NumberField } from '#web/components/form/number-field.tsx'
import { dollars, lineLabels, type Refundable, refundable } from './order-facts.ts'
import classes from './refund-dialog.module.css'
import { problemOf, type Sending, StepDialog } from './step-dialog.tsx'

type Refund = { lines: (OrderAmount & { line?: string })[]; reason: string }

type RefundDialogProps = {
  order: Pick<SellerOrder, 'number' | 'lines' | 'refunds' | 'parts' | 'cancelAsked' | 'buyer'>
  sending: Sending
  onClose: () => void
  onRefund: (refund: Refund) => void
}

type Draft = Omit<Refundable, 'amount'> & { most: number; chosen: boolean; amount: number | undefined }

const keyOf = ({ kind, part }: Draft) => `${kind} ${part?.id}`
const labelOf = ({ kind, part }: Draft) => {
  if (!part) return lineLabels[kind]
  return kind === 'core' ? `Core charge, ${part.title}` : part.title
}

/** Sales tax goes back with what it was paid for; nobody chooses it, unless nothing else is left. */
function chargesOf(left: readonly Refundable[]): readonly Refundable[] {
  const others = left.filter(({ kind }) => kind !== 'tax')
  return others.length > 0 ? others : left
}

/** The sales tax that goes back with these amounts, in dollars. */
function taxOf(order: RefundDialogProps['order'], chosen: readonly Draft[]): number {
  if (chosen.some(({ kind }) => kind === 'tax')) return 0
  const centsOf = (lines: readonly { kind: LineKind; amount?: number | undefined }[]) => {
    const cents = { part: 0, shipping: 0, core: 0, tax: 0 }
    for (const { kind, amount = 0 } of lines) cents[kind] += Math.round(amount * 100)
    return cents
  }
  const state = order.buyer.address?.state ?? null
  return (
    taxBack({
      paid: centsOf(order.lines),
      left: centsOf(refundable(order)),
      now: centsOf(chosen),
      state,
    }) / 100
  )
}

/** Refunds an order line by line; at first, everything that is left. */
export function RefundDialog({ order, sending, onClose, onRefund }: RefundDialogProps) {
  const [drafts, setDrafts] = useState<Draft[]>(() =>
    chargesOf(refundable(order)).map((line) => ({ ...line, most: line.amount, chosen: true })),
  )
  const [problem, setProblem] = useState<string>()
  const change = (key: string, changes: Partial<Draft>) => {
    setProblem(undefined)
    setDrafts((before) => before.map((draft) => (keyOf(draft) === key ? { ...draft, ...changes } : draft)))
  }
  const chosen = drafts.filter((draft) => draft.chosen)
  const tax = taxOf(order, chosen)
  const total = chosen.reduce((sum, { amount = 0 }) => sum + amount, tax)
  const submit = (form: FormData) => {
    if (chosen.length === 0) return setProblem('Choose what to refund')
    if (chosen.some(({ amount }) => !amount)) return setProblem('Enter each amount')
    onRefund({
      lines: chosen.map(({ kind, amount = 0, part }) => ({ kind, amount, ...(part && { line: part.id }) })),
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
        {drafts.map((draft) => (
          <div key={keyOf(draft)} className={classes.line}>
            <Checkbox
              label={labelOf(draft)}
              checked={draft.chosen}
              onChange={(event) => change(keyOf(draft), { chosen: event.currentTarget.checked })}
            />
            <NumberField
              aria-label={`${labelOf(draft)}, dollars to refund`}
              prefix="$"
              min={0.01}
              max={draft.most}
              decimals={2}
              value={draft.amount}
              disabled={!draft.chosen}
              onChange={(value) => change(keyOf(draft), { amount: value })}
            />
            <Text size="sm" className={`second ${classes.most}`}>
              of {dollars(draft.most)}
            </Text>
          </div>
        ))}
      </Stack>
      {tax > 0 && <Text size="sm">{dollars(tax)} of the sales tax goes back with it.</Text>}
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
