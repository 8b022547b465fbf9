import { useState } from 'react'
import { carriers } from '#contract/order/order-steps.ts'
import type { BuyerOrder } from '#contract/order/order-views.ts'
import { deadlineInWords } from '#contract/order/order-words.ts'
import { type ReturnAction, returnReasons, returnStateLabels } from '#contract/order/returns/return-steps.ts'
import type { OrderReturn } from '#contract/order/returns/return-views.ts'
import type { OrderKey } from '#web/api/orders/order-calls.ts'
import { readCoreSlip, readPhoto } from '#web/api/orders/return-calls.ts'
import { PrivatePhotos } from '#web/components/orders/private-photos.tsx'
import { saveFile } from '#web/components/save-file.ts'
import { Button } from '#web/site/button.tsx'
import { formatPrice } from '#web/site/card/listing-words.ts'
import { SelectField, TextField } from '#web/site/form/field.tsx'
import { showMessage } from '#web/site/frame/messages.tsx'
import { Notice } from '#web/site/page.tsx'
import classes from './order.module.css'
import type { Acting } from './order-actions.tsx'
import { ReturnForm } from './return-form.tsx'

const dollars = (amount: number) => formatPrice(amount, 'USD')

type ReturnsProps = { order: BuyerOrder; orderKey: OrderKey; acting: Acting }

/** What the buyer sent back or complained about, the old part of a core charge, and a way to ask. */
export function Returns({ order, orderKey, acting }: ReturnsProps) {
  const { returns, returnChoices } = order
  return (
    <>
      {returns.map((one) => (
        <ReturnCard key={one.id} order={order} one={one} orderKey={orderKey} acting={acting} />
      ))}
      {acting.refused && (
        <Notice tone="bad" role="alert">
          <p>{acting.refused.error}</p>
        </Notice>
      )}
      {returnChoices.length > 0 && <ReturnForm order={order} orderKey={orderKey} acting={acting} />}
    </>
  )
}

const titles: Readonly<Record<OrderReturn['kind'], string>> = {
  return: 'Return',
  claim: 'Problem reported',
  core: 'Core charge',
}

type CardProps = { order: BuyerOrder; one: OrderReturn; orderKey: OrderKey; acting: Acting }

const DAY_MS = 86_400_000

function ReturnCard({ order, one, orderKey, acting }: CardProps) {
  const { id, kind, reason, state, sentence, text, amount, restockingFee, answer, decision, actions } = one
  const read = async (photoId: string) => {
    const outcome = await readPhoto(orderKey, photoId)
    return 'done' in outcome ? outcome.done : undefined
  }
  return (
    <section aria-labelledby={`return-${id}`} className={classes.card}>
      <h2 id={`return-${id}`}>
        {kind === 'core' ? titles.core : `${titles[kind]}: ${returnReasons[reason].label}`}
      </h2>
      <p role="status">
        <strong>{returnStateLabels[state]}.</strong> {sentence}
      </p>
      <DaysLeft one={one} />
      {text !== '' && <p>“{text}”</p>}
      {answer !== null && (
        <p>
          {order.yard.name}: “{answer}”
        </p>
      )}
      <PrivatePhotos ids={one.answerPhotoIds} label="Photos of the yard" read={read} />
      {decision !== null && <p>Our decision: {decision}</p>}
      {kind === 'return' && (
        <p>
          {dollars(amount)} comes back
          {restockingFee > 0 && `, after a restocking fee of ${dollars(restockingFee)}`}.
        </p>
      )}
      <Parcel one={one} />
      <PrivatePhotos ids={one.photoIds} read={read} />
      {kind === 'core' && state === 'approved' && <CoreSlip order={order} orderKey={orderKey} />}
      {actions.length > 0 && (
        <div className={classes.actions}>
          {actions.map((action) => (
            <Step key={action} action={action} one={one} acting={acting} />
          ))}
        </div>
      )}
    </section>
  )
}

/** Until when, for what the buyer has to do. */
function DaysLeft({ one: { deadline, actions } }: { one: OrderReturn }) {
  if (!deadline || actions.length === 0) return null
  const days = Math.ceil((Date.parse(deadline.at) - Date.now()) / DAY_MS)
  if (days <= 0) return null
  return (
    <p className="second">
      <time dateTime={deadline.at} title={deadlineInWords(deadline.at, deadline.zone)}>
        {days === 1 ? '1 day left' : `${days} days left`}
      </time>
    </p>
  )
}

function Parcel({ one: { shipment, sendTo } }: { one: OrderReturn }) {
  return (
    <>
      {sendTo.length > 0 && (
        <address className={classes.address}>
          {sendTo.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </address>
      )}
      {shipment && (shipment.carrierName !== null || shipment.tracking !== '') && (
        <p>
          Sent{shipment.carrierName !== null && ` with ${shipment.carrierName}`}
          {shipment.tracking !== '' && ': '}
          {shipment.url === null ? (
            shipment.tracking
          ) : (
            <a href={shipment.url} rel="noopener noreferrer">
              Track {shipment.tracking}
            </a>
          )}
        </p>
      )}
    </>
  )
}

type StepProps = { action: ReturnAction; one: OrderReturn; acting: Acting }

function Step({ action, one, acting: { busy, act } }: StepProps) {
  const { id: returnId } = one
  const take = (step: string, more: object = {}) =>
    act(`${step} ${returnId}`, '/orders/return/step', { returnId, step, ...more })
  if (action === 'send') return <SendBack one={one} busy={busy === `send ${returnId}`} take={take} />
  if (action === 'appeal') {
    return (
      <Button look="filled" busy={busy === `appeal ${returnId}`} onClick={() => void take('appeal')}>
        Ask us to decide
      </Button>
    )
  }
  const isMissing = one.reason === 'not-arrived'
  return (
    <Button
      busy={busy === `withdraw ${returnId}`}
      onClick={() => void take('withdraw').then((order) => order && showMessage('Withdrawn'))}
    >
      {isMissing ? 'It arrived after all' : 'Withdraw'}
    </Button>
  )
}

type SendBackProps = {
  one: OrderReturn
  busy: boolean
  take: (step: string, more: object) => Promise<BuyerOrder | undefined>
}

/** Carrier and number help if the yard says that nothing came, but nobody has to have them. */
function SendBack({ one: { kind }, busy, take }: SendBackProps) {
  const send = (form: FormData) => {
    const carrier = String(form.get('carrier'))
    const tracking = String(form.get('tracking')).trim()
    void take('send', { ...(carrier !== '' && { carrier }), tracking })
  }
  return (
    <details className={classes.more}>
      <summary>{kind === 'core' ? 'I sent the old part' : 'I sent it back'}</summary>
      <form
        className={classes.card}
        onSubmit={(event) => {
          event.preventDefault()
          send(new FormData(event.currentTarget))
        }}
      >
        <SelectField label="Carrier (optional)" name="carrier">
          <option value="">No carrier</option>
          {Object.entries(carriers).map(([carrier, name]) => (
            <option key={carrier} value={carrier}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField label="Tracking number (optional)" name="tracking" maxLength={60} autoComplete="off" />
        <div>
          <Button type="submit" look="filled" busy={busy}>
            It is on its way
          </Button>
        </div>
      </form>
    </details>
  )
}

function CoreSlip({ order: { number }, orderKey }: Pick<ReturnsProps, 'order' | 'orderKey'>) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const download = async () => {
    if (busy) return
    setBusy(true)
    const outcome = await readCoreSlip(orderKey)
    setBusy(false)
    setProblem('refusal' in outcome ? outcome.refusal.error : undefined)
    if ('done' in outcome) saveFile(outcome.done, `core-slip-${number}.pdf`)
  }
  return (
    <>
      <div>
        <Button busy={busy} onClick={() => void download()}>
          Download core slip
        </Button>
      </div>
      {problem !== undefined && (
        <Notice tone="bad" role="alert">
          {problem}
        </Notice>
      )}
    </>
  )
}
