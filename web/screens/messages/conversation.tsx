import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Conversation, ThreadMessage } from '#contract/pages/conversations.ts'
import { phoneLink } from '#contract/text/phone-parts.ts'
import { agreedDeal, headlineOf, offerInWords, openOffer } from '#web/components/conversation-words.ts'
import { momentWords } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import type { PaidOffer } from '#web/screens/parts/part/buy/checkout.tsx'
import { Button, ButtonLink } from '#web/site/button.tsx'
import { ListingPicture } from '#web/site/card/listing-picture.tsx'
import { formatPrice } from '#web/site/card/listing-words.ts'
import { TextArea, TextField } from '#web/site/form/field.tsx'
import { Notice, Page } from '#web/site/page.tsx'
import classes from './conversation.module.css'
import { type Sending, send, useSending } from './conversation-calls.ts'

type ConversationViewProps = {
  token: string
  conversation: Conversation
  onChange: (conversation: Conversation) => void
}

/** The part, the messages so far, and what the buyer can do next. */
export function ConversationView({ token, conversation, onChange }: ConversationViewProps) {
  const { sellerName, sellerGone, part, messages, may } = conversation
  const sending = useSending(token, onChange)
  const [stopped, setStopped] = useState<string>()
  if (stopped !== undefined) return <Stopped text={stopped} />
  return (
    <Page heading={`Your conversation with ${sellerName}`} width="text">
      <PartCard part={part} deal={agreedDeal(messages)} />
      <Thread messages={messages} sellerName={sellerName} />
      {sellerGone ? <SellerGone /> : <Deal conversation={conversation} token={token} />}
      {may.includes('accept') && <CounterOffer conversation={conversation} sending={sending} />}
      {!sellerGone && <ReplyForm conversation={conversation} sending={sending} />}
      {may.includes('offer') && <OfferForm conversation={conversation} sending={sending} />}
      <StopEmails token={token} conversation={conversation} onStopped={setStopped} />
    </Page>
  )
}

function PartCard({ part, deal }: Pick<Conversation, 'part'> & { deal: ReturnType<typeof agreedDeal> }) {
  const { title, slug, price, currency, imageUrl, categoryGroup, forSale } = part
  return (
    <section aria-label="The part" className={classes.part}>
      <div className={classes.picture}>
        <ListingPicture src={imageUrl} alt="" group={categoryGroup} sizes="6rem" />
      </div>
      <div>
        <p className={classes.title}>{slug === null ? title : <Link to={paths.part(slug)}>{title}</Link>}</p>
        <p className={classes.facts}>
          {deal ? (
            <span>
              {deal.isSold ? agreedWords(deal) : `${agreedWords(deal)}, held for you until ${deal.heldUntil}`}
            </span>
          ) : (
            <>
              {price !== null && <span>{formatPrice(price, currency ?? 'USD')}</span>}
              <span className={classes.pill} data-gone={!forSale || undefined}>
                {forSale ? 'For sale' : 'No longer for sale'}
              </span>
            </>
          )}
        </p>
      </div>
    </section>
  )
}

const agreedWords = ({ price, isSold }: NonNullable<ReturnType<typeof agreedDeal>>): string =>
  isSold ? `Sold to you for ${price}` : `Agreed: ${price}`

/** A new message is read out when it arrives. */
function Thread({ messages, sellerName }: { messages: readonly ThreadMessage[]; sellerName: string }) {
  return (
    <ol className={classes.thread} aria-label="Conversation" aria-live="polite">
      {messages.map((message) => (
        <li key={message.id} className={classes.message} data-from={message.from}>
          <p className={classes.by}>
            <strong>{headlineOf(message, sellerName)}</strong>{' '}
            <time dateTime={message.createdAt}>{momentWords(message.createdAt)}</time>
          </p>
          {message.message && <p className={classes.words}>{message.message}</p>}
          {offerInWords(message) && <p className={classes.state}>{offerInWords(message)}</p>}
        </li>
      ))}
    </ol>
  )
}

/** What happens next once a price is agreed. */
function Deal({ conversation, token }: { conversation: Conversation; token: string }) {
  const { messages, sellerName, sellerPhone, pay, part } = conversation
  const deal = agreedDeal(messages)
  if (!deal) return null
  const accepted = messages.findLast(({ kind }) => kind === 'accept')?.id
  if (pay && part.slug !== null && accepted !== undefined) {
    const offer: PaidOffer = { conversation: token, accepted, price: deal.price }
    return (
      <div className={classes.card}>
        <p>
          <strong>{agreedWords(deal)}.</strong> {sellerName} is holding the part for you until{' '}
          {deal.heldUntil}. Pay by then, or it goes back on sale.
        </p>
        <div>
          <ButtonLink to={paths.buy(part.slug)} state={{ offer }} look="filled" size="large">
            Buy for {deal.price}
          </ButtonLink>
        </div>
      </div>
    )
  }
  return (
    <div className={classes.block}>
      <Notice tone="information" title={agreedWords(deal)}>
        {!deal.isSold && `${sellerName} is holding the part for you until ${deal.heldUntil}. `}
        {sellerPhone === null ? (
          'Write below'
        ) : (
          <>
            Call <a href={phoneLink(sellerPhone)}>{sellerPhone}</a> or write below
          </>
        )}{' '}
        to arrange pickup or shipping. You pay {sellerName} directly.
      </Notice>
    </div>
  )
}

const SellerGone = () => (
  <div className={classes.block}>
    <Notice tone="information" title="This seller no longer sells here">
      Nobody would read your message. If you agreed on a price, don’t pay before you have the part.{' '}
      <Link to={paths.parts}>Search all parts</Link>
    </Notice>
  </div>
)

type Writing = { conversation: Conversation; sending: Sending }

function CounterOffer({ conversation: { messages, sellerName }, sending }: Writing) {
  const offer = openOffer(messages)
  if (!offer) return null
  const answer = (choice: 'accept' | 'decline') =>
    void sending.write(choice, '/messages/offer-answer', { offerId: offer.id, answer: choice })
  return (
    <section aria-labelledby="counteroffer" className={classes.card}>
      <h2 id="counteroffer">
        {sellerName} offers it for {formatPrice(offer.price ?? 0, offer.currency ?? 'USD')}
      </h2>
      <p className="second">
        {offerInWords(offer)}. If you accept, the seller holds the part for you for 48 hours. You pay them
        directly.
      </p>
      <Problem sending={sending} of={['accept', 'decline']} />
      <div className={classes.actions}>
        <Button look="filled" busy={sending.busy === 'accept'} onClick={() => answer('accept')}>
          Accept offer
        </Button>
        <Button busy={sending.busy === 'decline'} onClick={() => answer('decline')}>
          Decline
        </Button>
      </div>
    </section>
  )
}

function ReplyForm({ conversation: { sellerName, may }, sending }: Writing) {
  // Only one main action: an offer to accept comes first.
  const look = may.includes('accept') ? 'outlined' : 'filled'
  const problem = sending.refused?.by === 'reply' ? sending.refused.fields?.message : undefined
  return (
    <WritingForm
      label="Answer"
      onSend={(fields) => sending.write('reply', '/messages/reply', fields)}
      problem={problem}
    >
      <TextArea
        label={`Your message to ${sellerName}`}
        name="message"
        rows={4}
        maxLength={5000}
        required
        error={problem}
      />
      <Problem sending={sending} of={['reply']} />
      <div>
        <Button type="submit" look={look} busy={sending.busy === 'reply'}>
          Send message
        </Button>
      </div>
    </WritingForm>
  )
}

function OfferForm({ conversation: { part, messages }, sending }: Writing) {
  const problem = sending.refused?.by === 'offer' ? sending.refused.fields?.price : undefined
  const again = openOffer(messages) !== undefined
  return (
    // A new offer changes what this form is about.
    <details className={classes.more} key={messages.length}>
      <summary>{again ? 'Make a counteroffer' : 'Make an offer'}</summary>
      <WritingForm
        label="Offer"
        onSend={(fields) => sending.write('offer', '/messages/offer', fields)}
        problem={problem}
      >
        <TextField
          label={`Your offer (asking ${formatPrice(part.price ?? 0, part.currency ?? 'USD')})`}
          description="Offers start at $1 and expire in 48 hours. The seller can accept, decline or counter."
          name="price"
          inputMode="decimal"
          autoComplete="off"
          maxLength={12}
          required
          error={problem}
        />
        <TextArea label="Message (optional)" name="message" rows={2} maxLength={5000} />
        <Problem sending={sending} of={['offer']} />
        <div>
          <Button type="submit" busy={sending.busy === 'offer'}>
            Send offer
          </Button>
        </div>
      </WritingForm>
    </details>
  )
}

type WritingFormProps = {
  label: string
  onSend: (fields: Record<string, string>) => Promise<boolean>
  problem: string | undefined
  children: ReactNode
}

/** Sends its fields and is emptied afterwards; a field with a problem gets the focus. */
function WritingForm({ label, onSend, problem, children }: WritingFormProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (problem !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [problem])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const sent = event.currentTarget
    const fields = Object.fromEntries([...new FormData(sent)].map(([name, value]) => [name, String(value)]))
    if (await onSend(fields)) sent.reset()
  }
  return (
    <form ref={form} className={classes.card} aria-label={label} noValidate onSubmit={submit}>
      {children}
    </form>
  )
}

/** Why these forms were refused, unless that is shown at a field. */
function Problem({ sending: { refused }, of }: { sending: Sending; of: readonly string[] }) {
  if (!refused || !of.includes(refused.by) || Object.keys(refused.fields ?? {}).length > 0) return null
  return (
    <Notice tone="bad" role="alert">
      {refused.error}
    </Notice>
  )
}

type StopEmailsProps = { token: string; conversation: Conversation; onStopped: (text: string) => void }

function StopEmails({ token, conversation, onStopped }: StopEmailsProps) {
  const [problem, setProblem] = useState<string>()
  const stop = async (wasMe: boolean) => {
    const outcome = await send('/messages/stop', { token, wasMe })
    if ('refusal' in outcome) return setProblem(outcome.refusal.error)
    onStopped(
      wasMe
        ? 'You won’t get any more emails about this conversation. To read it or to write again, open the link of an earlier email.'
        : 'Thank you. You won’t get any more emails, and the links we sent you no longer work.',
    )
  }
  return (
    <details className={classes.more} data-quiet>
      <summary>Stop these emails</summary>
      <div className={classes.card}>
        {conversation.emailsStopped && (
          <p>Emails about this conversation are off. They turn on again when you write.</p>
        )}
        {problem !== undefined && (
          <Notice tone="bad" role="alert">
            {problem}
          </Notice>
        )}
        <div className={classes.actions}>
          {!conversation.emailsStopped && (
            <Button onClick={() => void stop(true)}>Stop emails about this part</Button>
          )}
          <Button onClick={() => void stop(false)}>I didn’t write this</Button>
        </div>
      </div>
    </details>
  )
}

function Stopped({ text }: { text: string }) {
  const heading = useRef<HTMLDivElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Page heading="Emails are off" width="text">
      <div ref={heading} tabIndex={-1} className={classes.stopped}>
        <p>{text}</p>
      </div>
    </Page>
  )
}
