import { type FormEvent, useId, useState } from 'react'
import type { BuyerOrder } from '#contract/order/order-views.ts'
import { dayInWords } from '#contract/order/order-words.ts'
import { MAX_RETURN_PHOTOS, returnReasons } from '#contract/order/returns/return-steps.ts'
import type { ReturnChoice } from '#contract/order/returns/return-views.ts'
import type { OrderKey } from '#web/api/orders/order-calls.ts'
import { addPhoto } from '#web/api/orders/return-calls.ts'
import { type AddedPhotos, useAddedPhotos } from '#web/components/orders/added-photos.ts'
import { Button } from '#web/site/button.tsx'
import { formatPrice } from '#web/site/card/listing-words.ts'
import { CheckField, SelectField, TextArea } from '#web/site/form/field.tsx'
import { showMessage } from '#web/site/frame/messages.tsx'
import { Notice } from '#web/site/page.tsx'
import classes from './order.module.css'
import type { Acting } from './order-actions.tsx'

const dollars = (amount: number) => formatPrice(amount, 'USD')

type FormProps = { order: BuyerOrder; orderKey: OrderKey; acting: Acting }

/** Asks to return the part, or says what is wrong with it: a reason, words and photos. */
export function ReturnForm({ order, orderKey, acting }: FormProps) {
  const { returnChoices, state, yard, returnUntil } = order
  const [reason, setReason] = useState<string>('')
  const photos = useAddedPhotos(addTo(orderKey))
  const chosen = returnChoices.find((choice) => choice.reason === reason) ?? onlyOne(returnChoices)
  const [lines, setLines] = useState<readonly string[]>([])
  const [isMissing, setMissing] = useState(false)
  // A parcel that never arrived had all of them.
  const isSeveral = chosen !== undefined && chosen.reason !== 'not-arrived' && chosen.parts.length > 1
  const named = isSeveral ? chosen.parts.filter(({ listingId }) => lines.includes(listingId)) : []
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setMissing(isSeveral && named.length === 0)
    if (isSeveral && named.length === 0) return
    const text = String(new FormData(form).get('text')).trim()
    const photoIds = photos.added.map(({ id }) => id)
    const ofParts = isSeveral ? { lines: named.map(({ listingId }) => listingId) } : {}
    const body = { kind: chosen?.kind ?? 'return', reason: chosen?.reason, text, photoIds, ...ofParts }
    if (!(await acting.act('return', '/orders/return', body))) return
    photos.clear()
    setReason('')
    setLines([])
    showMessage(`${yard.name} was asked`)
  }
  return (
    <details className={classes.more}>
      <summary>
        {state === 'shipped' ? 'Not yet: it hasn’t arrived' : 'Return it or report a problem'}
      </summary>
      <form className={classes.card} aria-label="Return or problem" onSubmit={(event) => void send(event)}>
        {returnChoices.length > 1 && (
          <SelectField
            label="What is the reason?"
            name="reason"
            required
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          >
            <option value="">Choose a reason</option>
            {returnChoices.map((choice) => (
              <option key={choice.reason} value={choice.reason}>
                {returnReasons[choice.reason].label}
              </option>
            ))}
          </SelectField>
        )}
        {isSeveral && (
          <PartsField
            order={order}
            choice={chosen}
            lines={lines}
            onChange={setLines}
            problem={isMissing && named.length === 0}
          />
        )}
        {chosen && (!isSeveral || named.length > 0) && (
          <p>{outcomeInWords(isSeveral ? ofParts(chosen, named, order) : chosen, yard.name)}</p>
        )}
        <TextArea
          label="What happened? (optional)"
          description={`${yard.name} and we read it.`}
          name="text"
          rows={3}
          maxLength={600}
        />
        {chosen?.reason !== 'not-arrived' && <PhotoField photos={photos} />}
        <div>
          <Button type="submit" look="filled" busy={acting.busy === 'return' || photos.isBusy}>
            {chosen?.kind === 'return' ? 'Ask to return it' : 'Report the problem'}
          </Button>
        </div>
        {returnUntil !== null && state !== 'shipped' && (
          <p className="second">Returns are possible until {dayInWords(returnUntil, timeZoneOf(order))}.</p>
        )}
      </form>
    </details>
  )
}

type Part = ReturnChoice['parts'][number]

/** What these parts bring; shipping comes back only if nothing of the parcel stays. */
function ofParts(
  choice: ReturnChoice,
  parts: readonly Part[],
  order: Pick<BuyerOrder, 'parts'>,
): ReturnChoice {
  const sum = (of: (part: Part) => number) => parts.reduce((all, part) => all + of(part), 0)
  const sent = order.parts.filter(({ state }) => state !== 'not-found')
  return {
    ...choice,
    amount: sum(({ amount }) => amount) + (parts.length === sent.length ? choice.shipping : 0),
    restockingFee: sum(({ restockingFee }) => restockingFee),
  }
}

type PartsFieldProps = {
  order: BuyerOrder
  choice: ReturnChoice
  lines: readonly string[]
  onChange: (lines: string[]) => void
  problem: boolean
}

function PartsField({ order, choice, lines, onChange, problem }: PartsFieldProps) {
  const problemId = useId()
  const titles = new Map(order.parts.map(({ listingId, title }) => [listingId, title]))
  return (
    <fieldset className={classes.choices} aria-describedby={problem ? problemId : undefined}>
      <legend>Which parts?</legend>
      {choice.parts.map(({ listingId, amount }) => (
        <CheckField
          key={listingId}
          label={`${titles.get(listingId) ?? 'Part'}, ${dollars(amount)}`}
          checked={lines.includes(listingId)}
          onChange={(event) =>
            onChange(
              event.currentTarget.checked
                ? [...lines, listingId]
                : lines.filter((line) => line !== listingId),
            )
          }
        />
      ))}
      {problem && (
        <p id={problemId} role="alert" className={classes.problem}>
          Choose at least one part.
        </p>
      )}
    </fieldset>
  )
}

const onlyOne = (choices: readonly ReturnChoice[]) => (choices.length === 1 ? choices[0] : undefined)

const timeZoneOf = ({ deadline }: BuyerOrder) =>
  deadline?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

function outcomeInWords(
  { kind, reason, amount, restockingFee, wayBack }: ReturnChoice,
  yard: string,
): string {
  if (reason === 'not-arrived')
    return `${yard} has 3 days to answer. If it is lost, you get ${dollars(amount)} back.`
  if (kind === 'claim') return `If ${yard} agrees, you get ${dollars(amount)} back and may keep the part.`
  const fee = restockingFee > 0 ? ` after a restocking fee of ${dollars(restockingFee)}` : ''
  const way = wayBack === 'yard' ? `${yard} pays for sending it back.` : 'You pay for sending it back.'
  return `If ${yard} agrees, you send the part back and get ${dollars(amount)}${fee}. ${way}`
}

const addTo = (orderKey: OrderKey) => async (file: File) => {
  const outcome = await addPhoto(orderKey, file)
  if ('done' in outcome) return outcome.done
  return { problem: outcome.refusal.fields?.image ?? outcome.refusal.error }
}

function PhotoField({ photos }: { photos: AddedPhotos }) {
  const id = useId()
  return (
    <div className={classes.photoField}>
      <label htmlFor={id} className={classes.title}>
        Photos (optional)
      </label>
      <p className="second">JPEG, PNG or WebP, at most {MAX_RETURN_PHOTOS}. Only the yard and we see them.</p>
      <input
        id={id}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        multiple
        disabled={photos.isBusy}
        onChange={(event) => {
          void photos.add([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <p role="status">{photos.isBusy && 'Adding photos…'}</p>
      {photos.added.length > 0 && (
        <ul className={classes.plain} aria-label="Added photos">
          {photos.added.map(({ id: photoId, name }) => (
            <li key={photoId}>
              {name}{' '}
              <Button
                size="small"
                look="quiet"
                aria-label={`Remove ${name}`}
                onClick={() => photos.remove(photoId)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {photos.problem !== undefined && (
        <Notice tone="bad" role="alert">
          {photos.problem}
        </Notice>
      )}
    </div>
  )
}
