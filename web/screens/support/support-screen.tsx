import { Button, Card, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { siteEndpoints } from '#contract/site.ts'
import { call } from '#web/api/client.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { useSession } from '#web/api/session.ts'
import { focusFirstProblem, lineProblems } from '#web/components/form/problems.ts'
import { TextLink } from '#web/components/links.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { Page } from '#web/components/page/page.tsx'
import { notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  const { user } = useSession()
  const [values, setValues] = useState({
    name: user?.name ?? '',
    email: user?.email ?? '',
    subject: '',
    message: '',
  })
  const { send, state, problems, again } = useSupportMessage()

  const field = (name: keyof typeof values) => ({
    name,
    value: values[name],
    error: problems[name],
    required: true,
    withAsterisk: false,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void send(values).then((sent) => sent || focusFirstProblem(form))
  }
  const writeAnother = () => {
    setValues({ ...values, subject: '', message: '' })
    again()
  }

  return (
    <Page
      title="Technical Support"
      lead="Write to the people who run this site. They reply by email."
      width="text"
    >
      {state === 'sent' ? (
        <EmptyState
          title="Your message is on its way"
          text={`We will reply to ${values.email}.`}
          action={
            <Button variant="default" onClick={writeAnother}>
              Write another message
            </Button>
          }
        />
      ) : (
        <Stack gap="md">
          <Text className="second">
            You may find the answer in the{' '}
            <TextLink underline="always" to={paths.help}>
              support articles
            </TextLink>
            .
          </Text>
          <Card component="form" onSubmit={submit} noValidate>
            <Stack gap="md">
              <TextInput label="Name" autoComplete="name" {...field('name')} />
              <TextInput label="Email" type="email" autoComplete="email" {...field('email')} />
              <TextInput label="Subject" maxLength={160} {...field('subject')} />
              <Textarea
                label="Message"
                description="Include the listing’s link, or the text of the error message."
                rows={8}
                maxLength={5000}
                {...field('message')}
              />
              <Button type="submit" loading={state === 'sending'} style={{ alignSelf: 'flex-start' }}>
                Send message
              </Button>
            </Stack>
          </Card>
        </Stack>
      )}
    </Page>
  )
}

type Message = { name: string; email: string; subject: string; message: string }

function useSupportMessage() {
  const [state, setState] = useState<'writing' | 'sending' | 'sent'>('writing')
  const [problems, setProblems] = useState<ReturnType<typeof fieldProblems>>({})

  /** Resolves to true once the server accepted the message. */
  async function send(message: Message): Promise<boolean> {
    const fieldErrors = lineProblems({ Name: message.name, Subject: message.subject })
    setProblems(fieldErrors ?? {})
    if (fieldErrors) return false
    setState('sending')
    try {
      await call(siteEndpoints.askSupport, { body: message })
      setState('sent')
      return true
    } catch (error) {
      setState('writing')
      setProblems(fieldProblems(error))
      notifyError(error, 'Your message could not be sent. Please try again.')
      return false
    }
  }

  return { send, state, problems, again: () => setState('writing') }
}
