import { Checkbox, Fieldset, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import type { BoughtPart, SellerOrder } from '#contract/order/order-views.ts'
import { call } from '#web/api/client.ts'
import { dollars, partsInWords } from '#web/components/orders/order-facts.ts'
import { problemOf, StepDialog } from '#web/components/orders/step-dialog.tsx'
import { useOrderStep } from './seller-orders.ts'
import { firstName, isThere } from './to-do.ts'

/* The parts of an order were looked for: they are there, some are, or none is. */

export type DialogProps = { order: SellerOrder; onClose: () => void }

const numbersOf = ({ partNumber, stockNumber }: BoughtPart): string =>
  [partNumber && `Part # ${partNumber}`, stockNumber && `Stock # ${stockNumber}`].filter(Boolean).join(' · ')

type ChecksProps = {
  legend: string
  parts: readonly BoughtPart[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  error: string | undefined
}

/** Which of several parts, by their ids. */
function PartChecks({ legend, parts, chosen, onChange, error }: ChecksProps) {
  return (
    <Fieldset legend={legend}>
      <Stack gap="sm">
        {parts.map((part) => (
          <Checkbox
            key={part.id}
            label={partsInWords([part])}
            description={numbersOf(part)}
            checked={chosen.has(part.id)}
            onChange={({ currentTarget: { checked } }) => {
              const others = [...chosen].filter((id) => id !== part.id)
              onChange(new Set(checked ? [...others, part.id] : others))
            }}
          />
        ))}
        {error !== undefined && (
          <Text role="alert" c="var(--mantine-color-error)">
            {error}
          </Text>
        )}
      </Stack>
    </Fieldset>
  )
}

export function ConfirmDialog({ order, onClose }: DialogProps) {
  const { id, vin, parts } = order
  const isSeveral = parts.length > 1
  const [found, setFound] = useState<ReadonlySet<string>>(() => new Set(parts.map((part) => part.id)))
  const [problem, setProblem] = useState<string>()
  const step = useOrderStep({ inDialog: true, onDone: onClose })
  const isShort = found.size < parts.length
  const isEnding = isShort && order.ifMissing === 'cancel'
  return (
    <StepDialog
      title={isSeveral ? 'Found them?' : 'Found it?'}
      submit={isSeveral ? submitOf(order, found.size) : 'Confirm part'}
      destroys={isEnding}
      isReady={vin === null}
      sending={step}
      onClose={onClose}
      onSubmit={(form) => {
        if (found.size === 0) return setProblem('If you found none, close this and choose “Not found”.')
        const body = { fitsVin: form.get('fitsVin') === 'on', ...(isShort && { lines: [...found] }) }
        const run = () => call(orderEndpoints.confirmOrder, { params: { id }, body })
        step.mutate({ id, run, done: isEnding ? 'Order ended' : `${isSeveral ? 'Parts' : 'Part'} confirmed` })
      }}
    >
      {isSeveral ? (
        <PartChecks
          legend={`${found.size} of ${parts.length} found`}
          parts={parts}
          chosen={found}
          onChange={(chosen) => {
            setProblem(undefined)
            setFound(chosen)
          }}
          error={problem ?? problemOf(step.error, 'lines')}
        />
      ) : (
        <div>
          <Text fw={650}>{partsInWords(parts)}</Text>
          {parts.map(
            (part) =>
              numbersOf(part) && (
                <Text key={part.id} className="second">
                  {numbersOf(part)}
                </Text>
              ),
          )}
        </div>
      )}
      <Text>{consequenceOf(order, isShort)}</Text>
      {vin !== null && (
        <Checkbox
          name="fitsVin"
          label={`${isSeveral ? 'They fit' : 'It fits'} the buyer’s vehicle, VIN ${vin}`}
          description="Leave it unchecked if you did not look it up. The buyer sees your answer."
          data-autofocus
        />
      )}
    </StepDialog>
  )
}

function submitOf({ parts, ifMissing }: SellerOrder, found: number): string {
  if (found === parts.length) return `Confirm all ${found} parts`
  return ifMissing === 'cancel' ? 'End order' : `Confirm ${found} of ${parts.length}`
}

function consequenceOf({ buyer, delivery, total, parts, ifMissing }: SellerOrder, isShort: boolean): string {
  const isSeveral = parts.length > 1
  if (isShort && ifMissing === 'cancel')
    return `${buyer.name} wants all or nothing: the order ends, nothing is paid, and what you found goes back on sale.`
  const what = isSeveral ? 'the parts' : 'the part'
  const next = delivery === 'ship' ? `you ship ${what}` : `you get ${what} ready for pickup`
  return isShort
    ? `${buyer.name} takes what you found. This takes the money for it, with the shipping it needs. The listings of what is missing end.`
    : `This takes ${dollars(total ?? 0)} from ${buyer.name}, and ${next}.`
}

const notFoundReasons = [
  'Already sold',
  'Not on the shelf',
  'Damaged',
  'Not the part that was listed',
] as const

export function NotFoundDialog({ order, onClose }: DialogProps) {
  const { id, state } = order
  const parts = order.parts.filter(isThere)
  // Before the money is taken, the parts that are there are confirmed, and the others are missing.
  const isChosen = parts.length > 1 && state !== 'authorized'
  const [missing, setMissing] = useState<ReadonlySet<string>>(() => new Set())
  const [problem, setProblem] = useState<string>()
  const [reason, setReason] = useState<string>(notFoundReasons[0])
  const step = useOrderStep({ inDialog: true, onDone: onClose })
  const isWhole = !isChosen || missing.size === parts.length || order.ifMissing === 'cancel'
  return (
    <StepDialog
      title={parts.length > 1 ? 'Parts not found?' : 'Part not found?'}
      submit="Not found"
      destroys
      sending={step}
      onClose={onClose}
      onSubmit={() => {
        if (isChosen && missing.size === 0) return setProblem('Choose what is missing')
        const body = { reason, ...(isChosen && { lines: [...missing] }) }
        const run = () => call(orderEndpoints.missOrder, { params: { id }, body })
        step.mutate({ id, run, done: isWhole ? 'Order ended' : 'Refund started' })
      }}
    >
      {isChosen && (
        <PartChecks
          legend="What is missing?"
          parts={parts}
          chosen={missing}
          onChange={(chosen) => {
            setProblem(undefined)
            setMissing(chosen)
          }}
          error={problem ?? problemOf(step.error, 'lines')}
        />
      )}
      <Text>{missingConsequence(order, { isWhole, count: parts.length })}</Text>
      <NativeSelect
        label="Common reasons"
        data-autofocus
        data={[...notFoundReasons]}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Textarea
        label="Reason"
        description={`${order.buyer.name} reads this.`}
        name="reason"
        autosize
        minRows={2}
        maxLength={600}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={problemOf(step.error, 'reason')}
      />
    </StepDialog>
  )
}

function missingConsequence(
  { buyer, state, ifMissing }: SellerOrder,
  { isWhole, count }: { isWhole: boolean; count: number },
): string {
  const ends = count > 1 ? 'the listings end' : 'the listing ends'
  if (state === 'authorized') {
    const some = count > 1 ? ' If you found some of them, choose “Found it” instead.' : ''
    return `${buyer.name} pays nothing, and ${ends}.${some}`
  }
  if (!isWhole)
    return `${firstName(buyer.name)} gets the money for what is missing back, and its listing ends.`
  return count > 1 && ifMissing === 'cancel'
    ? `${buyer.name} wants all or nothing and gets everything back. The listings of what is missing end; the others go back on sale.`
    : `${buyer.name} gets everything back, and ${ends}.`
}
