import { Anchor, Badge, Button, Card, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { IconCar, IconMail, IconPhone } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Lead } from '#contract/leads.ts'
import { phoneLink } from '#contract/text/phone-parts.ts'
import { ApiError, errorSentence } from '#web/api/failures.ts'
import { agreedDeal, headlineOf, offerInWords } from '#web/components/conversation-words.ts'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { TextLink } from '#web/components/links.tsx'
import { momentWords } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import { formatPrice } from '#web/site/card/listing-words.ts'
import classes from './leads.module.css'
import { mailLink, partOf, stateBefore, stateColors, useLeadActions, viewNames, withReply } from './leads.ts'
import { OfferPanel } from './offer-panel.tsx'
import { QuickReplies } from './quick-replies.tsx'
import { SoldDialog } from './sold-dialog.tsx'

type LeadDetailProps = { lead: Lead; draft: string; onDraft: (text: string) => void }

/** One message: the buyer, the part, the conversation and the actions. */
export function LeadDetail({ lead, draft, onDraft }: LeadDetailProps) {
  const [soldTo, setSoldTo] = useState<'them' | 'another'>()
  const { answering, moving } = useLeadActions(lead, (sent) => {
    // Keep what was typed while the reply was being sent: it is the start of the next one.
    if (draft.trim() === sent) onDraft('')
  })
  const heading = useHeadingFocus(`${lead.state} ${lead.messages.length}`)
  const closed = lead.state === 'closed'
  return (
    <Card component="article" aria-labelledby="lead-heading">
      <Stack gap="lg">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div>
            <Group gap="sm">
              <Title id="lead-heading" ref={heading} tabIndex={-1}>
                {lead.name}
              </Title>
              <Badge color={stateColors[lead.state]}>{viewNames[lead.state]}</Badge>
            </Group>
            <Text className="second">
              <time dateTime={lead.createdAt}>{momentWords(lead.createdAt)}</time>
            </Text>
          </div>
          <Group gap="sm">
            {!closed && !agreedDeal(lead.messages) && (
              <Button size="xs" variant="default" onClick={() => setSoldTo('another')}>
                Sold already
              </Button>
            )}
            {lead.state === 'new' && (
              <Button
                size="xs"
                variant="default"
                onClick={() =>
                  moving.mutate({ to: 'answered', done: 'Marked as answered', undoTo: lead.state })
                }
                disabled={moving.isPending}
              >
                Mark as answered
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              onClick={() =>
                moving.mutate(
                  closed
                    ? { to: stateBefore(lead), done: 'Message reopened' }
                    : { to: 'closed', done: 'Message closed', undoTo: lead.state },
                )
              }
              loading={moving.isPending}
            >
              {closed ? 'Reopen' : 'Close message'}
            </Button>
          </Group>
        </Group>
        <ContactDetails lead={lead} />
        <Thread lead={lead} />
        {closed ? (
          <Text className="second">This message is closed. Reopen it to reply.</Text>
        ) : (
          <>
            <OfferPanel lead={lead} onSold={() => setSoldTo('them')} />
            <AnswerForm lead={lead} answering={answering} draft={draft} onDraft={onDraft} />
          </>
        )}
      </Stack>
      {soldTo && (
        <SoldDialog lead={lead} soldToThem={soldTo === 'them'} onClose={() => setSoldTo(undefined)} />
      )}
    </Card>
  )
}

/** Focuses the heading on opening, and later only if the focused button disappeared or was disabled. */
function useHeadingFocus(stage: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const opened = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another stage has other buttons
  useEffect(() => {
    if (!opened.current) heading.current?.focus()
    else if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
    opened.current = true
  }, [stage])
  return heading
}

/** The part, and how to reach the buyer. */
function ContactDetails({ lead }: { lead: Lead }) {
  const { listing, email, phone } = lead
  return (
    <ul className={classes.contact}>
      <ContactLine icon={<IconCar size={20} stroke={1.6} aria-hidden />}>
        {listing ? (
          <>
            <TextLink to={paths.part(listing.slug)}>{partOf(lead)}</TextLink>,{' '}
            {listing.forSale ? formatPrice(listing.price, listing.currency) : 'no longer for sale'}
          </>
        ) : (
          `${partOf(lead)} (deleted)`
        )}
      </ContactLine>
      {email && (
        <ContactLine icon={<IconMail size={20} stroke={1.6} aria-hidden />}>
          <Anchor href={mailLink(email, lead)}>
            <EmailText email={email} />
          </Anchor>
        </ContactLine>
      )}
      {phone && (
        <ContactLine icon={<IconPhone size={20} stroke={1.6} aria-hidden />}>
          {phoneLink(phone) ? <Anchor href={phoneLink(phone)}>{phone}</Anchor> : phone}
        </ContactLine>
      )}
    </ul>
  )
}

/** Wraps before the @. */
function EmailText({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  )
}

function ContactLine({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li>
      {icon}
      <span>{children}</span>
    </li>
  )
}

/** What both sides wrote. The first message is already under the buyer's name. */
function Thread({ lead }: { lead: Lead }) {
  return (
    <ol className={classes.thread} aria-label="Conversation">
      {lead.messages.map((message, at) => {
        const { id, from, kind, createdAt, mailed } = message
        const state = offerInWords(message)
        return (
          <li key={id} className={from === 'seller' ? classes.answered : classes.message}>
            {(at > 0 || kind !== 'text') && (
              <p className={classes.by}>
                {headlineOf(message)}, <time dateTime={createdAt}>{momentWords(createdAt)}</time>
                {!mailed && `. Not emailed yet: waiting for ${lead.name} to confirm the address.`}
              </p>
            )}
            {message.message}
            {state && <p className={classes.offerState}>{state}</p>}
          </li>
        )
      })}
    </ol>
  )
}

type AnswerFormProps = {
  lead: Lead
  answering: ReturnType<typeof useLeadActions>['answering']
  draft: string
  onDraft: (text: string) => void
}

/** Answers go out by email. Without an email address there is nothing to send. */
function AnswerForm({ lead, answering, draft, onDraft }: AnswerFormProps) {
  const [missing, setMissing] = useState(false)
  if (lead.email === null || lead.emailsStopped) {
    return (
      <Text className="second">
        {lead.email === null
          ? `${lead.name} left only a phone number.`
          : `${lead.name} stopped the emails of this conversation.`}
        {lead.state === 'new' && lead.phone && ' Call them, then mark the message as answered.'}
      </Text>
    )
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const empty = draft.trim() === ''
    setMissing(empty)
    answering.reset()
    if (empty) return focusFirstProblem(form)
    answering.mutate(draft.trim(), { onError: () => focusFirstProblem(form) })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Textarea
          label="Your reply"
          description={
            lead.emailConfirmed
              ? `Sent to ${lead.email}. They can reply here or to your own mailbox.`
              : `Emailed once the buyer opens the link we sent to ${lead.email}. In a hurry? Email them yourself.`
          }
          name="message"
          autosize
          minRows={4}
          maxRows={16}
          maxLength={5000}
          value={draft}
          error={missing ? 'Write a reply first' : failureOf(answering.error)}
          onChange={(event) => {
            setMissing(false)
            onDraft(event.currentTarget.value)
          }}
        />
        <QuickReplies onChoose={(reply) => onDraft(withReply(draft, reply))} />
        <Button
          type="submit"
          // Only one main action: an offer to accept comes first.
          variant={lead.may.includes('accept') ? 'default' : 'filled'}
          loading={answering.isPending}
          style={{ alignSelf: 'flex-start' }}
        >
          {lead.answers.length > 0 ? 'Send another reply' : 'Send reply'}
        </Button>
      </Stack>
    </form>
  )
}

function failureOf(error: unknown): string | undefined {
  if (!error) return undefined
  const fieldError = error instanceof ApiError ? error.fields.message : undefined
  return fieldError ?? errorSentence(error, 'Your reply could not be sent. Please try again.')
}
