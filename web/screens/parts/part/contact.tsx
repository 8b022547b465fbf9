import {
  Alert,
  Anchor,
  Button,
  Card,
  Divider,
  Group,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { IconCircleCheck, IconPhone } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { type BuyerMessage, buyerMessage, leadEndpoints } from '#contract/leads.ts'
import type { Listing } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { ApiError, errorSentence } from '#web/api/failures.ts'
import { useSession } from '#web/api/session.ts'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { titleOf } from '#web/components/listing-card/listing-words.ts'
import { paths } from '#web/paths.ts'
import classes from './part.module.css'

/** How a buyer reaches the seller; nothing where there is nothing to buy any more. */
export function Contact({ listing }: { listing: Listing }) {
  const way = wayToSeller(listing)
  if (way === 'none') return null
  return (
    <Card component="section" aria-label="Contact">
      {way === 'own' ? (
        <OwnPart listing={listing} />
      ) : (
        <Stack gap="lg">
          {way === 'call-first' && (
            <>
              <Call listing={listing} />
              <Divider />
            </>
          )}
          <MessageForm listing={listing} first={way === 'write-first'} />
        </Stack>
      )}
    </Card>
  )
}

function Call({ listing }: { listing: Listing }) {
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h3">
          Call {sellerName(listing)}
        </Title>
        <Text className="second">This seller would rather hear from you by phone.</Text>
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
      <Title order={2} size="h3">
        This is your own part
      </Title>
      <Text className="second">
        Buyers find a form here. What they write comes to your messages.
        {listing.dealerphone && !phoneShown && ' They do not see your phone number.'}
      </Text>
      <Group gap="md">
        <Anchor component={Link} to={paths.editListing(listing.partslug)} underline="always">
          Edit listing
        </Anchor>
        <Anchor component={Link} to={paths.leads} underline="always">
          See messages
        </Anchor>
      </Group>
    </Stack>
  )
}

/** The first thing to do for a buyer, or the second where the seller would rather be called. */
type MessageFormProps = { listing: Listing; first: boolean }

/** A buyer writes to the seller, here and without an account. */
function MessageForm({ listing, first }: MessageFormProps) {
  const { user } = useSession()
  const [draft, setDraft] = useState<MessageDraft>({
    name: user?.name ?? '',
    email: user?.email ?? '',
    phone: '',
    message: openingQuestion(listing),
  })
  const { send, problems, sending, sent, again, failure } = useMessage(listing.partslug)

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
    again()
  }
  if (sent) return <Sent listing={listing} draft={draft} onAgain={writeAnother} />
  return (
    <form onSubmit={submit} noValidate aria-labelledby="message">
      <Stack gap="md">
        <div>
          <Title order={2} size="h3" id="message">
            {first ? `Write to ${sellerName(listing)}` : 'Or write'}
          </Title>
          <Text className="second">
            Only this seller reads it. An e-mail address or a phone number is enough.
          </Text>
        </div>
        <TextInput
          label="Name"
          autoComplete="name"
          maxLength={120}
          required
          withAsterisk={false}
          {...field('name')}
        />
        <TextInput label="E-mail" type="email" autoComplete="email" maxLength={254} {...field('email')} />
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

type SentProps = { listing: Listing; draft: MessageDraft; onAgain: () => void }

/** In the place of the form, so that nobody wonders whether it went out. */
function Sent({ listing, draft, onAgain }: SentProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Stack gap="sm" align="flex-start">
      <IconCircleCheck size={32} stroke={1.6} className={classes.sent} aria-hidden />
      <Title order={2} size="h3" ref={heading} tabIndex={-1}>
        Message sent
      </Title>
      <Text>
        It is in the inbox of {sellerName(listing)} now.{' '}
        {answerWords({ email: draft.email.trim(), phone: draft.phone.trim() })}
      </Text>
      <blockquote className={classes.quote}>{draft.message.trim()}</blockquote>
      <Button variant="default" onClick={onAgain}>
        Write another message
      </Button>
    </Stack>
  )
}

const noProblems: DraftProblems = {}

/** Sends a buyer's message. What is wrong stands beside its field, and else in `failure`: a sentence for the form. */
function useMessage(slug: string) {
  const [problems, setProblems] = useState(noProblems)
  const sending = useMutation({
    mutationFn: (body: BuyerMessage) => call(leadEndpoints.writeToSeller, { params: { slug }, body }),
    onError: (error) => setProblems(error instanceof ApiError ? error.fields : noProblems),
  })

  /** True once the server has it. */
  async function send(draft: MessageDraft): Promise<boolean> {
    const read = readDraft(draft)
    setProblems('problems' in read ? read.problems : noProblems)
    if ('problems' in read) {
      sending.reset()
      return false
    }
    return sending.mutateAsync(read.body).then(
      () => true,
      () => false,
    )
  }

  const besideFields = Object.keys(problems).length > 0
  return {
    send,
    problems,
    sending: sending.isPending,
    sent: sending.isSuccess,
    again: sending.reset,
    failure: sending.error && !besideFields ? failureWords(sending.error) : undefined,
  }
}

function failureWords(error: unknown): string {
  // The page still shows the part as it was when it was opened.
  if (error instanceof ApiError && error.status === 404) {
    return 'Your message was not sent: this part is no longer for sale.'
  }
  return errorSentence(error, 'Your message could not be sent. Please try again.')
}

type MessageDraft = { name: string; email: string; phone: string; message: string }
type DraftProblems = Readonly<Partial<Record<keyof MessageDraft, string | true>>>

/** The message as it is sent, or what stands against it, by field; of several problems the first. */
export function readDraft(draft: MessageDraft): { body: BuyerMessage } | { problems: DraftProblems } {
  const { phone, email, ...rest } = draft
  const read = buyerMessage.safeParse({
    ...rest,
    ...(email.trim() !== '' && { email: email.trim() }),
    ...(phone.trim() !== '' && { phone }),
  })
  if (read.success) return { body: read.data }
  const problems: Record<string, string> = {}
  for (const { path, message } of read.error.issues) problems[String(path[0])] ??= message
  return { problems }
}

type Way = 'own' | 'none' | 'call-first' | 'write-first'
type Reachable = Pick<Listing, 'mine' | 'endedAt' | 'status' | 'preferredContact' | 'dealerphone'>

/** How a reader reaches the seller: by what the seller prefers, as far as the phone number is public. */
export function wayToSeller({ mine, endedAt, status, preferredContact, dealerphone }: Reachable): Way {
  if (mine) return 'own'
  if (endedAt !== null || status !== 'ACTIVE') return 'none'
  return preferredContact === 'phone' && dealerphone ? 'call-first' : 'write-first'
}

type Asked = Parameters<typeof titleOf>[0] & Pick<Listing, 'partnum'>

/** What most buyers ask first; the part number tells two alike apart. */
export function openingQuestion(listing: Asked): string {
  const number = listing.partnum ? ` (part # ${listing.partnum})` : ''
  return `Hello, is the ${titleOf(listing)}${number} still available?`
}

/** "Green Country Salvage", or who else it is. */
export const sellerName = ({ dealername }: Pick<Listing, 'dealername'>): string =>
  dealername.trim() || 'the seller'

/** Where the seller's answer will come to. */
export function answerWords({ email, phone }: { email: string; phone: string }): string {
  if (email === '') return `They will call you at ${phone}.`
  return phone === '' ? `The answer goes to ${email}.` : `They will answer at ${email}, or call ${phone}.`
}
