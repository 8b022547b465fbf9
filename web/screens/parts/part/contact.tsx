import { IconCircleCheck, IconPhone } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { phoneLink } from '#contract/text/phone-parts.ts'
import { useSession } from '#web/api/session.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/site/button.tsx'
import { formatPrice, sellerName, yearsOf } from '#web/site/card/listing-words.ts'
import { TextArea, TextField } from '#web/site/form/field.tsx'
import { INTENT, useSentForm } from '#web/site/form/sent-form.ts'
import { useSiteFacts } from '#web/site/head.tsx'
import { Notice } from '#web/site/page.tsx'
import { canBuy } from './buy-box/can-buy.ts'
import classes from './part.module.css'

/** How a buyer reaches the seller. Renders nothing once the part is no longer for sale. */
export function Contact({ listing }: { listing: Listing }) {
  const mode = contactMode(listing)
  const sells = useSiteFacts().orders && canBuy(listing)
  if (mode === 'none') return null
  return (
    <section aria-label="Contact" className={classes.card}>
      {mode === 'own' ? (
        <OwnPart listing={listing} />
      ) : (
        <>
          {mode === 'call-first' && (
            <>
              <Call listing={listing} />
              <hr className={classes.rule} />
            </>
          )}
          <MessageForm
            listing={listing}
            first={mode === 'write-first'}
            isMain={mode === 'write-first' && !sells}
          />
        </>
      )}
    </section>
  )
}

function Call({ listing }: { listing: Listing }) {
  return (
    <div className={classes.stack}>
      <div>
        <h2 className={classes.cardTitle}>Call {sellerName(listing)}</h2>
        <p className="second">This seller prefers phone calls.</p>
      </div>
      <a href={phoneLink(listing.dealerphone)} className={classes.call}>
        <IconPhone size={20} stroke={1.8} aria-hidden />
        Call {listing.dealerphone}
      </a>
    </div>
  )
}

function OwnPart({ listing }: { listing: Listing }) {
  const phoneShown = useSession().user?.communicationPrefs.showPhonePublicly === true
  return (
    <div className={classes.stack}>
      <h2 className={classes.cardTitle}>This is your own part</h2>
      <p className="second">
        Buyers see a contact form here.
        {listing.dealerphone && !phoneShown && ' Your phone number is hidden.'}
      </p>
      <p className={classes.links}>
        <Link to={paths.editListing(listing.partslug)}>Edit listing</Link>
        <Link to={paths.leads}>See messages</Link>
      </p>
    </div>
  )
}

/** `first`: the form is the main way to reach the seller; otherwise it follows the phone number. */
type MessageFormProps = { listing: Listing; first: boolean; isMain: boolean }

/** Buyers can write without an account, and without script. */
function MessageForm({ listing, first, isMain }: MessageFormProps) {
  const { user } = useSession()
  const { Form, form, busy, sent, notice, writeAnother, typed, problems, error } = useSentForm('message')
  if (sent) return <SentMessage listing={listing} draft={sent} notice={notice} onAgain={writeAnother} />
  return (
    // A signed-in buyer's name is known only after hydration.
    <Form
      method="post"
      // Without script the page loads again, at its result.
      action={`#${CONTACT}`}
      ref={form}
      noValidate
      aria-labelledby="message"
      key={user?.id ?? 'visitor'}
    >
      <input type="hidden" name={INTENT} value="message" />
      <div className={classes.stack}>
        <div>
          <h2 className={classes.cardTitle} id="message">
            {first ? `Message ${sellerName(listing)}` : 'Or send a message'}
          </h2>
          <p className="second">Sent only to this seller. Leave an email or a phone number.</p>
        </div>
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          maxLength={120}
          required
          defaultValue={typed.name ?? user?.name}
          error={problems.name}
        />
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          defaultValue={typed.email ?? user?.email}
          error={problems.email}
        />
        <TextField
          label="Phone"
          name="phone"
          type="tel"
          autoComplete="tel"
          maxLength={40}
          defaultValue={typed.phone}
          error={problems.phone}
        />
        <TextArea
          label="Message"
          name="message"
          rows={4}
          maxLength={5000}
          required
          defaultValue={typed.message ?? openingQuestion(listing)}
          error={problems.message}
        />
        {listing.takesOffers && (
          <details className={classes.bid} open={!!typed.offer}>
            <summary>Make an offer (expires in 48 hours)</summary>
            <TextField
              label={`Your offer (asking ${formatPrice(listing.partprice, listing.currency)})`}
              name="offer"
              inputMode="decimal"
              defaultValue={typed.offer}
              error={problems.offer}
            />
          </details>
        )}
        {error !== undefined && (
          <Notice tone="bad" role="alert">
            {error}
          </Notice>
        )}
        <Button type="submit" look={isMain ? 'filled' : 'outlined'} size="large" busy={busy}>
          Send message
        </Button>
      </div>
    </Form>
  )
}

type SentMessageProps = {
  listing: Listing
  draft: Record<string, string>
  notice: string | undefined
  onAgain: () => void
}

function SentMessage({ listing, draft, notice, onAgain }: SentMessageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { user } = useSession()
  const { demo } = useSiteFacts()
  const email = (draft.email ?? '').trim()
  const isOwn = user?.emailConfirmed === true && user.email.toLowerCase() === email.toLowerCase()
  return (
    <div className={classes.stack}>
      <IconCircleCheck size={32} stroke={1.6} className={classes.sent} aria-hidden />
      <h2 className={classes.cardTitle} ref={heading} tabIndex={-1}>
        Message sent
      </h2>
      <p>
        Sent to {sellerName(listing)}. {replySentence({ email, phone: (draft.phone ?? '').trim() })}
      </p>
      {notice && <p>{notice} Until your address is confirmed, the seller can’t email you.</p>}
      {email !== '' && !isOwn && !notice && (
        <p>
          Check your email: confirm your address so the seller can reply. If you did that on this device in
          the last 30 days, there is nothing to confirm.
          {demo && (
            <>
              {' '}
              This is a demo: <a href={paths.outbox}>open the outbox</a>.
            </>
          )}
        </p>
      )}
      {draft.offer && (
        <strong>{formatPrice(+draft.offer.replace('$', ''), listing.currency)}, expires in 48 hours</strong>
      )}
      <blockquote className={classes.quote}>{(draft.message ?? '').trim()}</blockquote>
      <div>
        <Button onClick={onAgain}>Write another message</Button>
      </div>
    </div>
  )
}

/** The id of the page's contact form. */
export const CONTACT = 'contact'

type ContactMode = 'own' | 'none' | 'call-first' | 'write-first'
type ContactListing = Pick<Listing, 'mine' | 'endedAt' | 'status' | 'preferredContact' | 'dealerphone'>

/** How a visitor reaches the seller: as the seller prefers, but by phone only if the number is public. */
export function contactMode({
  mine,
  endedAt,
  status,
  preferredContact,
  dealerphone,
}: ContactListing): ContactMode {
  if (mine) return 'own'
  if (endedAt !== null || status !== 'ACTIVE') return 'none'
  return preferredContact === 'phone' && dealerphone ? 'call-first' : 'write-first'
}

type QuestionListing = Pick<
  Listing,
  'partname' | 'partyear' | 'partyearto' | 'partmanuname' | 'partmodel' | 'partnum'
>

/** What most buyers ask first, as they would say it. The part number distinguishes similar parts. */
export function openingQuestion(listing: QuestionListing): string {
  const { partyearto, partmanuname, partmodel, partnum } = listing
  const car = [yearsOf(listing), partmodel || partmanuname].filter(Boolean).join(' ')
  // A part of several years is for such cars, and its own car is not known.
  const of = car && ` ${partyearto ? 'for the' : 'off the'} ${car}`
  const number = partnum ? ` (part # ${partnum})` : ''
  return `Hi, is the ${spokenName(listing.partname)}${of}${number} still available?`
}

/** "Hood, gold" is "gold hood" in a sentence. Abbreviations keep their capitals. */
function spokenName(name: string): string {
  const [part = '', what, ...more] = name.split(/,\s*/)
  const inOrder = what && more.length === 0 ? `${what} ${part}` : name
  return inOrder.replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
}

/** Where the seller's reply will arrive. */
export function replySentence({ email, phone }: { email: string; phone: string }): string {
  if (email === '') return `They will call you at ${phone}.`
  return phone === '' ? `They will reply to ${email}.` : `They will reply to ${email} or call ${phone}.`
}
