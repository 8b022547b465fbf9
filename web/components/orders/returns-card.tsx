import { Badge, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SellerOrder } from '#contract/order/order-views.ts'
import { deadlineInWords } from '#contract/order/order-words.ts'
import {
  type ReturnState,
  returnConditions,
  returnStateLabels,
} from '#contract/order/returns/return-steps.ts'
import type { OrderReturn } from '#contract/order/returns/return-views.ts'
import { reasonsInWords } from '#contract/order/returns/return-words.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { zonedMomentWords } from '#web/components/time-words.ts'
import { dollars } from './order-facts.ts'
import { PrivatePhotos } from './private-photos.tsx'

/* Returns, claims and cores, as yards and administrators see them. */

const kinds: Readonly<Record<OrderReturn['kind'], string>> = {
  return: 'Return',
  claim: 'Claim',
  core: 'Core',
}

const colors: Readonly<Record<ReturnState, string>> = {
  asked: 'warning',
  declined: 'gray',
  deciding: 'warning',
  approved: 'sea',
  sent: 'sea',
  refunded: 'good',
  refused: 'gray',
  withdrawn: 'gray',
  lapsed: 'gray',
}

const payers = { buyer: 'The buyer', yard: 'The yard' } as const

export const returnTitle = ({ kind, reason }: OrderReturn): string =>
  kind === 'core' ? kinds.core : `${kinds[kind]}: ${reasonsInWords[reason]}`

type ReturnsCardProps = {
  order: Pick<SellerOrder, 'returns' | 'buyer'>
  readPhoto: (photoId: string) => Promise<Blob>
  /** What the reader can do about one. */
  actionsOf: (one: OrderReturn) => ReactNode
}

export function ReturnsCards({ order: { returns, buyer }, readPhoto, actionsOf }: ReturnsCardProps) {
  return returns.map((one) => (
    <SectionCard
      key={one.id}
      title={returnTitle(one)}
      aside={
        <Badge size="md" color={colors[one.state]}>
          {returnStateLabels[one.state]}
        </Badge>
      }
    >
      <Stack gap="sm">
        <Text role="status">{one.sentence}</Text>
        {one.text !== '' && (
          <Text>
            {buyer.name}: “{one.text}”
          </Text>
        )}
        <PrivatePhotos ids={one.photoIds} read={readPhoto} />
        <Facts facts={factsOf(one)} />
        <PrivatePhotos ids={one.answerPhotoIds} label="Photos of the yard" read={readPhoto} />
        {actionsOf(one)}
      </Stack>
    </SectionCard>
  ))
}

const DAY_MS = 86_400_000

/** With the days that are left, as nobody counts to a date three weeks away. */
function Until({ deadline: { at, zone } }: { deadline: NonNullable<OrderReturn['deadline']> }) {
  const days = Math.ceil((Date.parse(at) - Date.now()) / DAY_MS)
  const left = days === 1 ? '1 day left' : `${days} days left`
  return (
    <time dateTime={at}>
      {deadlineInWords(at, zone)}
      {days > 0 && ` (${left})`}
    </time>
  )
}

function factsOf(one: OrderReturn) {
  const { kind, deadline, amount, restockingFee, wayBack, shipment, condition, answer, decision } = one
  const parcel = shipment && [shipment.carrierName, shipment.tracking].filter(Boolean).join(' ')
  const facts: [name: string, value: ReactNode][] = [
    ['Asked', kind === 'core' ? null : zonedMomentWords(one.createdAt)],
    ['Until', deadline && <Until deadline={deadline} />],
    ['Comes back to the buyer', dollars(amount)],
    ['Restocking fee', restockingFee > 0 ? dollars(restockingFee) : null],
    ['Pays the way back', kind === 'return' && wayBack && payers[wayBack]],
    ['Sent back', parcel || (shipment && zonedMomentWords(shipment.sentAt))],
    ['Came back', condition && returnConditions[condition]],
    ['The yard wrote', answer],
    ['Decision', decision],
  ]
  return facts.flatMap(([name, value]) => (value ? [{ name, value }] : []))
}
