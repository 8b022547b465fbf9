import { Anchor, Button, Card, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { focusFirstProblem } from '#web/components/first-problem.ts'
import { Page } from '#web/components/page.tsx'
import { paths } from '#web/paths.ts'
import { useSupportMessage } from './use-support-message.ts'

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
      lead="Your message goes to the people who run this site. They answer by e-mail."
      width="text"
    >
      {state === 'sent' ? (
        <EmptyState
          title="Your message is on its way"
          text={`The answer goes to ${values.email}.`}
          action={
            <Button variant="default" onClick={writeAnother}>
              Write another message
            </Button>
          }
        />
      ) : (
        <Stack gap="md">
          <Text className="second">
            Many questions are answered already in the{' '}
            <Anchor component={Link} underline="always" to={paths.help}>
              support articles
            </Anchor>
            .
          </Text>
          <Card component="form" onSubmit={submit} noValidate>
            <Stack gap="md">
              <TextInput label="Name" autoComplete="name" {...field('name')} />
              <TextInput label="Email" type="email" autoComplete="email" {...field('email')} />
              <TextInput label="Subject" maxLength={160} {...field('subject')} />
              <Textarea
                label="Message"
                description="For a listing, its address helps; for an error, the words you saw."
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
