import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Lead } from '#contract/leads.ts'
import { offerHours } from '#contract/pages/conversations.ts'
import { ApiError, errorSentence } from '#web/api/failures.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { agreedDeal, offerInWords, openOffer } from '#web/components/conversation-words.ts'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { formatPrice } from '#web/site/card/listing-words.ts'
import classes from './leads.module.css'
import { useOfferActions } from './leads.ts'

/** The open offer and what can be done with it, or the price that was agreed on. */
export function OfferPanel({ lead, onSold }: { lead: Lead; onSold: () => void }) {
  const { choosing, countering } = useOfferActions(lead)
  const [isNaming, setNaming] = useState(false)
  const deal = agreedDeal(lead.messages)
  if (deal?.isSold) return <Alert color="good" title={`Sold to ${lead.name} for ${deal.price}`} />
  if (deal) {
    return (
      <Alert color="good" title={`Agreed: ${deal.price}`}>
        <Stack gap="sm" align="flex-start">
          <Text>
            Hold the part for {lead.name} until {deal.heldUntil}. The listing stays up until it is paid for
            here, or you mark it as sold.
          </Text>
          {lead.listing?.forSale && (
            <Button size="xs" variant="default" onClick={onSold}>
              Mark as sold
            </Button>
          )}
        </Stack>
      </Alert>
    )
  }
  const offer = openOffer(lead.messages)
  if (!offer || !lead.listing || !lead.may.includes('offer')) return null
  const price = formatPrice(offer.price ?? 0, offer.currency ?? 'USD')
  const waits = lead.may.includes('accept')
  const accept = async () => {
    const sure = await askToConfirm({
      title: `Accept ${price}?`,
      text: `${lead.promised ? 'You already accepted another buyer’s offer for this part. ' : ''}You hold the part for ${lead.name} for 48 hours. The listing stays up until it is paid for here, or you mark it as sold.`,
      confirm: 'Accept offer',
    })
    if (sure) choosing.mutate({ offerId: offer.id, answer: 'accept', evenIfPromised: lead.promised })
  }
  const decline = async () => {
    const sure = await askToConfirm({
      title: `Decline ${price}?`,
      text: `${lead.name} gets an email and can make another offer.`,
      confirm: 'Decline offer',
    })
    if (sure) choosing.mutate({ offerId: offer.id, answer: 'decline' })
  }
  return (
    <section aria-labelledby="offer-heading" className={classes.offer}>
      <Stack gap="sm">
        <div>
          <Title order={2} size="h3" id="offer-heading">
            {`${offer.from === 'seller' ? 'You' : lead.name} ${waits ? 'offers' : 'offered'} ${price}`}
          </Title>
          <Text className="second">
            {waits && `Your price is ${formatPrice(lead.listing.price, lead.listing.currency)}. `}
            {offerInWords(offer)}.
          </Text>
        </div>
        {isNaming ? (
          <CounterForm
            lead={lead}
            countering={countering}
            onClose={() => {
              countering.reset()
              setNaming(false)
            }}
          />
        ) : (
          <Group gap="sm">
            {waits && (
              <Button onClick={() => void accept()} loading={choosing.isPending}>
                Accept
              </Button>
            )}
            <Button variant="default" onClick={() => setNaming(true)} disabled={choosing.isPending}>
              {offer.from === 'seller' ? 'Change your offer' : 'Make a counteroffer'}
            </Button>
            {waits && (
              <Button variant="default" onClick={() => void decline()} disabled={choosing.isPending}>
                Decline
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </section>
  )
}

const inDays = (hours: number): string => (hours === 24 ? '1 day' : `${hours / 24} days`)

type CounterFormProps = {
  lead: Lead
  countering: ReturnType<typeof useOfferActions>['countering']
  onClose: () => void
}

function CounterForm({ lead, countering, onClose }: CounterFormProps) {
  const { error, isPending } = countering
  const fields = error instanceof ApiError ? error.fields : {}
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const sent = new FormData(form)
    const hours = offerHours.find((one) => String(one) === sent.get('hours')) ?? 48
    countering.mutate(
      { price: String(sent.get('price')), hours, message: String(sent.get('message')) },
      { onSuccess: onClose, onError: () => focusFirstProblem(form) },
    )
  }
  return (
    <form onSubmit={submit} noValidate aria-label="Counteroffer">
      <Stack gap="sm">
        <Group gap="sm" align="flex-start" grow>
          <TextInput
            label="Your price"
            name="price"
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            data-autofocus
            error={fields.price}
          />
          <NativeSelect
            label="Good for"
            name="hours"
            defaultValue="48"
            data={offerHours.map((hours) => ({ value: String(hours), label: inDays(hours) }))}
          />
        </Group>
        <TextInput
          label="Message (optional)"
          name="message"
          maxLength={5000}
          error={fields.message ?? (error && !fields.price ? errorSentence(error, failed) : undefined)}
        />
        <Text size="sm" className="second">
          If {lead.name} accepts, you hold the part for 48 hours.
        </Text>
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            Send counteroffer
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const failed = 'The counteroffer could not be sent. Please try again.'
