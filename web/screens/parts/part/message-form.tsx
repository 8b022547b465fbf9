import { Alert, Button, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { useSession } from '#web/api/session.ts'
import { focusFirstProblem } from '#web/components/first-problem.ts'
import { answerWords, openingQuestion, sellerName } from './contact-words.ts'
import type { MessageDraft } from './message-draft.ts'
import classes from './part.module.css'
import { useMessage } from './use-message.ts'

/** The first thing to do for a buyer, or the second where the seller would rather be called. */
type MessageFormProps = { listing: Listing; first: boolean }

/** A buyer writes to the seller, here and without an account. */
export function MessageForm({ listing, first }: MessageFormProps) {
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
