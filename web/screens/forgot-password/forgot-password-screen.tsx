import { Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { accountEndpoints } from '#contract/accounts.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { useSite } from '#web/api/site.ts'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  const [email, setEmail] = useState(typedAtLogin(useLocation().state))
  const form = useRef<HTMLFormElement>(null)
  const asking = useMutation({
    mutationFn: () => call(accountEndpoints.askPasswordReset, { body: { email } }),
    onError: (error) => {
      if (form.current && problemOf(error)) focusFirstProblem(form.current)
      else notifyError(error, 'Could not ask for a link. Please try again.', { about: 'password reset' })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    asking.mutate()
  }
  return (
    <EntryPage
      title="Forgot password"
      heading="Forgot your password?"
      lead="We e-mail you a link to choose a new one."
      below={
        <>
          Remembered it?{' '}
          <Anchor component={Link} underline="always" to={paths.login}>
            Login to your account
          </Anchor>
        </>
      }
    >
      {asking.isSuccess ? (
        <Sent email={email.trim()} onAgain={asking.reset} />
      ) : (
        <form ref={form} onSubmit={submit} noValidate>
          <Stack gap="md">
            <TextInput
              label="Email"
              description="The one that you sign in with"
              type="email"
              name="email"
              autoComplete="username"
              value={email}
              error={problemOf(asking.error)}
              onChange={(event) => setEmail(event.currentTarget.value)}
              required
              withAsterisk={false}
            />
            <Button type="submit" size="md" disabled={email.trim() === ''} loading={asking.isPending}>
              Send the link
            </Button>
          </Stack>
        </form>
      )}
    </EntryPage>
  )
}

/** The same words for every address: nobody learns here who has an account. */
function Sent({ email, onAgain }: { email: string; onAgain: () => void }) {
  const { data: site } = useSite()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Stack gap="md" align="flex-start">
      <Title order={2} size="h3" ref={heading} tabIndex={-1}>
        Check your e-mail
      </Title>
      <Text>
        If <strong>{email}</strong> has an account here, a link is on its way. It works once, for 30 minutes.
        Nothing there? Check your spam folder, and the spelling of the address.
      </Text>
      {site?.demo && (
        <Text className="second">
          This is a demo, so mail stays here:{' '}
          <Anchor href={paths.outbox} underline="always">
            open the outbox
          </Anchor>
          .
        </Text>
      )}
      <Button variant="default" onClick={onAgain}>
        Try another address
      </Button>
    </Stack>
  )
}

const problemOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.fields.email : undefined

/** What stood in the login form comes along with the link from there. */
function typedAtLogin(state: unknown): string {
  const email = typeof state === 'object' && state !== null && 'email' in state ? state.email : ''
  return typeof email === 'string' ? email : ''
}
