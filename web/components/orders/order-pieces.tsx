import { Badge, Group } from '@mantine/core'
import { disputeStateLabels, LOST_DISPUTE } from '#contract/order/disputes/dispute-words.ts'
import { orderStateLabel } from '#contract/order/order-steps.ts'
import type {
  AdminOrder,
  BoughtPart,
  OrderRefund,
  SellerOrder,
  TimelineEntry,
} from '#contract/order/order-views.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { TextLink } from '#web/components/links.tsx'
import { zonedMomentWords } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import { MoneyPath } from './money-path.tsx'
import { dollars, lineLabels, stateColors } from './order-facts.ts'
import classes from './order-pieces.module.css'

/* What the yard's and the administrators' pages of an order share. */

type Marks = Pick<SellerOrder, 'state' | 'total' | 'held' | 'disputed' | 'dispute'> & {
  needsAttention?: boolean
}

export function OrderBadges({ state, total, held, disputed, dispute, needsAttention = false }: Marks) {
  const isLost = dispute?.state === 'lost'
  return (
    <Group gap={6} component="span">
      <Badge component="span" size="md" color={isLost ? 'bad' : stateColors[state]}>
        {isLost ? LOST_DISPUTE : orderStateLabel({ state, total })}
      </Badge>
      {held && (
        <Badge component="span" size="md" color="bad">
          On hold
        </Badge>
      )}
      {disputed && (
        <Badge component="span" size="md" color="bad">
          Disputed
        </Badge>
      )}
      {needsAttention && (
        <Badge component="span" size="md" color="warning">
          Needs attention
        </Badge>
      )}
    </Group>
  )
}

/** The parts as the buyer saw them. */
export function SoldParts({ parts }: { parts: readonly BoughtPart[] }) {
  return (
    <ul className={classes.parts}>
      {parts.map((part) => (
        <li key={part.id}>
          {part.imageUrl !== null && (
            <img
              src={part.imageUrl}
              alt=""
              className={classes.picture}
              width={96}
              height={72}
              loading="lazy"
            />
          )}
          <div className={classes.part}>
            <p className={classes.title}>
              {part.quantity > 1 && `${part.quantity} × `}
              {part.slug === null ? part.title : <TextLink to={paths.part(part.slug)}>{part.title}</TextLink>}
            </p>
            <p className="second">{factsOf(part).join(' · ')}</p>
            {part.fits !== null && <p>{part.fits}</p>}
            {part.restricted !== null && <p>{part.restricted}</p>}
            {part.terms.length > 0 && (
              <ul className={classes.terms}>
                {part.terms.map((term) => (
                  <li key={term}>{term}</li>
                ))}
              </ul>
            )}
          </div>
          <p className={classes.price}>{dollars(part.price * part.quantity)}</p>
        </li>
      ))}
    </ul>
  )
}

function factsOf({ state, grade, partNumber, stockNumber, donorVin, miles, core }: BoughtPart): string[] {
  return [
    state === 'not-found' && 'Not found',
    'Used',
    grade !== null && `Grade ${grade}`,
    partNumber !== null && `Part # ${partNumber}`,
    stockNumber !== null && `Stock # ${stockNumber}`,
    miles !== null && `${miles.toLocaleString('en-US')} miles`,
    donorVin !== null && `from VIN ${donorVin}`,
    core > 0 && `${dollars(core)} core charge`,
  ].filter((fact) => fact !== false)
}

/** What the buyer pays and what becomes of it. */
export function OrderMoney({ order }: { order: SellerOrder | AdminOrder }) {
  const { lines, total, taxAdded, state, money, payout, dispute } = order
  const isCaptured = money.gross > 0
  const open = state === 'quoting' || state === 'pending' || state === 'authorized' || state === 'capturing'
  return (
    <>
      <Facts
        facts={[
          ...lines.map(({ kind, amount }) => ({ name: lineLabels[kind], value: dollars(amount) })),
          {
            name: taxAdded ? 'Total before sales tax' : 'Total',
            value: total === null ? 'Waiting for your shipping price' : dollars(total),
          },
          ...(!isCaptured && open ? [{ name: 'Paid by the buyer', value: 'Nothing taken yet' }] : []),
          ...(dispute === null
            ? []
            : [
                {
                  name: 'Disputed',
                  value: `${dollars(dispute.amount)}, ${disputeStateLabels[dispute.state].toLowerCase()}`,
                },
              ]),
        ]}
      />
      {isCaptured && payout && <MoneyPath payout={payout} />}
    </>
  )
}

const refundStates: Readonly<Record<OrderRefund['state'], string>> = {
  requested: 'on its way',
  pending: 'waiting at the payment provider',
  succeeded: 'refunded',
  failed: 'failed',
}

export function Refunds({ refunds }: { refunds: readonly OrderRefund[] }) {
  if (refunds.length === 0) return null
  return (
    <ul className={classes.refunds} aria-label="Refunds">
      {refunds.map(({ id, at, amount, lines, state, reason }) => (
        <li key={id}>
          <strong>{dollars(amount)}</strong>, {refundStates[state]} (
          {lines
            .map(({ kind, amount: cost }) => `${lineLabels[kind].toLowerCase()} ${dollars(cost)}`)
            .join(', ')}
          ), <time dateTime={at}>{zonedMomentWords(at)}</time>
          {reason !== '' && `: “${reason}”`}
        </li>
      ))}
    </ul>
  )
}

export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className={classes.timeline}>
      {entries.map(({ at, kind, text }) => (
        <li key={`${at} ${kind} ${text}`}>
          <time dateTime={at}>{zonedMomentWords(at)}</time>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  )
}
