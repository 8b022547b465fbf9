import { Alert, Button, Card, Divider, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { IconCircleCheck, IconPhone } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { type BuyerMessage, buyerMessage, leadEndpoints } from '#contract/leads.ts'
import type { Listing } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { ApiError, errorSentence } from '#web/api/failures.ts'
import { useSession } from '#web/api/session.ts'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { TextLink } from '#web/components/links.tsx'
import { titleOf } from '#web/components/listing-card/listing-words.ts'
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
  const [draft, setDraft] = useState<MessageDraft>({
    name: user?.name ?? '',
    email: user?.email ?? '',
    phone: '',
    message: openingQuestion(listing),
  })
  const { send, problems, sending, sent, reset, failure } = useMessage(listing.partslug)

  const field = (name: keyof MessageDraft) => ({
    name,
    value: draft[name],
    error: problems[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setDraft({ ...draft, [name]: event.currentTarget.value }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void send(draft).then((done) => done || focusFirstProblem(form))
  }
  const writeAnother = () => {
    setDraft({ ...draft, message: '' })
    reset()
  }
  if (sent) return <SentMessage listing={listing} draft={draft} onAgain={writeAnother} />
  return (
    <form onSubmit={submit} noValidate aria-labelledby="message">
      <Stack gap="md">
        <div>
          <Title size="h3" id="message">
            {first ? `Write to ${sellerName(listing)}` : 'Or write'}
          </Title>
          <Text className="second">Sent only to this seller. Leave an email address or a phone number.</Text>
        </div>
        <TextInput
          label="Name"
          autoComplete="name"
          maxLength={120}
          required
          withAsterisk={false}
          {...field('name')}
        />
        <TextInput label="Email" type="email" autoComplete="email" maxLength={254} {...field('email')} />
        <TextInput label="Phone" type="tel" autoComplete="tel" maxLength={40} {...field('phone')} />
        <Textarea
          label="Message"
          autosize
          minRows={4}
          maxRows={12}
          maxLength={5000}
          required
          withAsterisk={false}
          {...field('message')}
        />
        {failure !== undefined && (
          <Alert color="bad" radius="md" role="alert">
            {failure}
          </Alert>
        )}
        <Button type="submit" variant={first ? 'filled' : 'default'} loading={sending}>
          Send message
        </Button>
      </Stack>
    </form>
  )
}

type SentMessageProps = { listing: Listing; draft: MessageDraft; onAgain: () => void }

/** Replaces the form once the message is sent. */
function SentMessage({ listing, draft, onAgain }: SentMessageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Stack gap="sm" align="flex-start">
      <IconCircleCheck size={32} stroke={1.6} className={classes.sent} aria-hidden />
      <Title size="h3" ref={heading} tabIndex={-1}>
        Message sent
      </Title>
      <Text>
        It’s in {sellerName(listing)}’s inbox.{' '}
        {replySentence({ email: draft.email.trim(), phone: draft.phone.trim() })}
      </Text>
      <blockquote className={classes.quote}>{draft.message.trim()}</blockquote>
      <Button variant="default" onClick={onAgain}>
        Write another message
      </Button>
    </Stack>
  )
}

const noProblems: DraftProblems = {}

/** Sends a buyer's message. Field problems are in `problems`; any other error is a sentence in `failure`. */
function useMessage(slug: string) {
  const [problems, setProblems] = useState(noProblems)
  const sending = useMutation({
    mutationFn: (body: BuyerMessage) => call(leadEndpoints.writeToSeller, { params: { slug }, body }),
    onError: (error) => setProblems(error instanceof ApiError ? error.fields : noProblems),
  })

  /** Resolves to true once the server accepted the message. */
  async function send(draft: MessageDraft): Promise<boolean> {
    const parsed = parseDraft(draft)
    setProblems('problems' in parsed ? parsed.problems : noProblems)
    if ('problems' in parsed) {
      sending.reset()
      return false
    }
    return sending.mutateAsync(parsed.body).then(
      () => true,
      () => false,
    )
  }

  const hasFieldProblems = Object.keys(problems).length > 0
  return {
    send,
    problems,
    sending: sending.isPending,
    sent: sending.isSuccess,
    reset: sending.reset,
    failure: sending.error && !hasFieldProblems ? failureSentence(sending.error) : undefined,
  }
}

function failureSentence(error: unknown): string {
  // The part can sell while this page is open.
  if (error instanceof ApiError && error.status === 404) {
    return 'Your message was not sent: this part is no longer for sale.'
  }
  return errorSentence(error, 'Your message could not be sent. Please try again.')
}

type MessageDraft = { name: string; email: string; phone: string; message: string }
type DraftProblems = Readonly<Partial<Record<keyof MessageDraft, string | true>>>

/** The message to send, or the first problem of each field. */
export function parseDraft(draft: MessageDraft): { body: BuyerMessage } | { problems: DraftProblems } {
  const { phone, email, ...rest } = draft
  const parsed = buyerMessage.safeParse({
    ...rest,
    ...(email.trim() !== '' && { email: email.trim() }),
    ...(phone.trim() !== '' && { phone }),
  })
  if (parsed.success) return { body: parsed.data }
  const problems: Record<string, string> = {}
  for (const { path, message } of parsed.error.issues) problems[String(path[0])] ??= message
  return { problems }
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
