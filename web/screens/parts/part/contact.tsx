import { Alert, Button, Card, Divider, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { IconCircleCheck, IconPhone } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { buyerMessage, leadEndpoints } from '#contract/leads.ts'
import type { Listing } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { ApiError, errorSentence } from '#web/api/failures.ts'
import { useSession } from '#web/api/session.ts'
import { OutboxNote } from '#web/components/account/confirm-email.tsx'
import { useTextForm } from '#web/components/form/use-text-form.ts'
import { TextLink } from '#web/components/links.tsx'
import { titleOf } from '#web/site/card/listing-words.ts'
import { paths } from '#web/paths.ts'
import classes from './part.module.css'

/** How a buyer reaches the seller. Renders nothing once the part is no longer for sale. */
export function Contact({ listing }: { listing: Listing }) {
  const mode = contactMode(listing)
  if (mode === 'none') return null
  return (
    <Card component="section" aria-label="Contact">
      {mode === 'own' ? (
        <OwnPart listing={listing} />
      ) : (
        <Stack gap="lg">
          {mode === 'call-first' && (
            <>
              <Call listing={listing} />
              <Divider />
            </>
          )}
          <MessageForm listing={listing} first={mode === 'write-first'} />
        </Stack>
      )}
    </Card>
  )
}

function Call({ listing }: { listing: Listing }) {
  return (
    <Stack gap="sm">
      <div>
        <Title size="h3">Call {sellerName(listing)}</Title>
        <Text className="second">This seller prefers phone calls.</Text>
      </div>
      <Button
        component="a"
        href={`tel:${listing.dealerphone}`}
        size="md"
        leftSection={<IconPhone size={20} stroke={1.8} aria-hidden />}
      >
        Call {listing.dealerphone}
      </Button>
    </Stack>
  )
}

function OwnPart({ listing }: { listing: Listing }) {
  const phoneShown = useSession().user?.communicationPrefs.showPhonePublicly === true
  return (
    <Stack gap="sm">
      <Title size="h3">This is your own part</Title>
      <Text className="second">
        Buyers see a contact form here. Their messages go to your inbox.
        {listing.dealerphone && !phoneShown && ' Your phone number is hidden.'}
      </Text>
      <Group gap="md">
        <TextLink to={paths.editListing(listing.partslug)} underline="always">
          Edit listing
        </TextLink>
        <TextLink to={paths.leads} underline="always">
          See messages
        </TextLink>
      </Group>
    </Stack>
  )
}

/** `first`: the form is the main way to reach the seller; otherwise it follows the phone number. */
type MessageFormProps = { listing: Listing; first: boolean }

/** Buyers can write without an account. */
function MessageForm({ listing, first }: MessageFormProps) {
  const { user } = useSession()
  const { values, setValues, field, submit, request, problems } = useTextForm({
    start: {
      name: user?.name ?? '',
      email: user?.email ?? '',
      phone: '',
      message: openingQuestion(listing),
    },
    check: draftProblems,
    send: (draft) =>
      call(leadEndpoints.writeToSeller, {
        params: { slug: listing.partslug },
        body: messageOf(draft),
      }),
  })
  const hasFieldProblems = Object.keys(problems).length > 0
  const writeAnother = () => {
    setValues({ ...values, message: '' })
    request.reset()
  }
  if (request.isSuccess) return <SentMessage listing={listing} draft={values} onAgain={writeAnother} />
  return (
    <form onSubmit={submit} noValidate aria-labelledby="message">
      <Stack gap="md">
        <div>
          <Title size="h3" id="message">
            {first ? `Write to ${sellerName(listing)}` : 'Or write'}
          </Title>
          <Text className="second">Sent only to this seller. Leave an email address or a phone number.</Text>
        </div>
        <TextInput label="Name" autoComplete="name" maxLength={120} {...field('name')} />
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          maxLength={254}
          {...field('email', false)}
        />
        <TextInput label="Phone" type="tel" autoComplete="tel" maxLength={40} {...field('phone', false)} />
        <Textarea label="Message" autosize minRows={4} maxRows={12} maxLength={5000} {...field('message')} />
        {request.error && !hasFieldProblems && (
          <Alert color="bad" radius="md" role="alert">
            {failureSentence(request.error)}
          </Alert>
        )}
        <Button type="submit" variant={first ? 'filled' : 'default'} loading={request.isPending}>
          Send message
        </Button>
      </Stack>
    </form>
  )
}

type SentMessageProps = { listing: Listing; draft: MessageDraft; onAgain: () => void }

function SentMessage({ listing, draft, onAgain }: SentMessageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { user } = useSession()
  const email = draft.email.trim()
  const isOwn = user?.emailConfirmed === true && user.email.toLowerCase() === email.toLowerCase()
  return (
    <Stack gap="sm" align="flex-start">
      <IconCircleCheck size={32} stroke={1.6} className={classes.sent} aria-hidden />
      <Title size="h3" ref={heading} tabIndex={-1}>
        Message sent
      </Title>
      <Text>
        It’s in {sellerName(listing)}’s inbox. {replySentence({ email, phone: draft.phone.trim() })}
      </Text>
      {email !== '' && !isOwn && (
        <Text>
          First message to this seller? Open the link we emailed to <strong>{email}</strong>, so the answer
          can reach you.
          <OutboxNote />
        </Text>
      )}
      <blockquote className={classes.quote}>{draft.message.trim()}</blockquote>
      <Button variant="default" onClick={onAgain}>
        Write another message
      </Button>
    </Stack>
  )
}

function failureSentence(error: unknown): string {
  // The part can sell while this page is open.
  if (error instanceof ApiError && error.status === 404) {
    return 'Your message was not sent: this part is no longer for sale.'
  }
  return errorSentence(error, 'Your message could not be sent. Please try again.')
}

type MessageDraft = { name: string; email: string; phone: string; message: string }

export const messageOf = ({ phone, email, ...rest }: MessageDraft) => ({
  ...rest,
  ...(email.trim() !== '' && { email: email.trim() }),
  ...(phone.trim() !== '' && { phone: phone.trim() }),
})

/** The first problem of each field, or undefined if the message can be sent. */
export function draftProblems(draft: MessageDraft): Record<string, string> | undefined {
  const issues = buyerMessage.safeParse(messageOf(draft)).error?.issues
  if (!issues) return undefined
  const problems: Record<string, string> = {}
  for (const { path, message } of issues) problems[String(path[0])] ??= message
  return problems
}

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

type QuestionListing = Parameters<typeof titleOf>[0] & Pick<Listing, 'partnum'>

/** What most buyers ask first. The part number distinguishes similar parts. */
export function openingQuestion(listing: QuestionListing): string {
  const number = listing.partnum ? ` (part # ${listing.partnum})` : ''
  return `Hello, is the ${titleOf(listing)}${number} still available?`
}

export const sellerName = ({ dealername }: Pick<Listing, 'dealername'>): string =>
  dealername.trim() || 'the seller'

/** Where the seller's reply will arrive. */
export function replySentence({ email, phone }: { email: string; phone: string }): string {
  if (email === '') return `They will call you at ${phone}.`
  return phone === '' ? `They will reply to ${email}.` : `They will reply to ${email} or call ${phone}.`
}
