import { Button, Card, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { siteEndpoints } from '#contract/site.ts'
import { call } from '#web/api/client.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { useSession } from '#web/api/session.ts'
import { lineProblems } from '#web/components/form/problems.ts'
import { useTextForm } from '#web/components/form/use-text-form.ts'
import { TextLink } from '#web/components/links.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { Page } from '#web/components/page/page.tsx'
import { notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  const { user } = useSession()
  const { values, setValues, field, submit, request } = useTextForm({
    start: { name: user?.name ?? '', email: user?.email ?? '', subject: '', message: '' },
    check: ({ name, subject }) => lineProblems({ Name: name, Subject: subject }),
    send: (body) => call(siteEndpoints.askSupport, { body }),
    onFailed: (error) => notifyError(error, 'Your message could not be sent. Please try again.'),
    problemsOf: fieldProblems,
  })
  const writeAnother = () => {
    setValues({ ...values, subject: '', message: '' })
    request.reset()
  }

  return (
    <Page
      title="Technical Support"
      lead="Write to the people who run this site. They reply by email."
      width="text"
    >
      {request.isSuccess ? (
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
              <Button type="submit" loading={request.isPending} style={{ alignSelf: 'flex-start' }}>
                Send message
              </Button>
            </Stack>
          </Card>
        </Stack>
      )}
    </Page>
  )
}
