import { Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { accountEndpoints } from '#contract/accounts.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { useSite } from '#web/api/site.ts'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { TextLink } from '#web/components/links.tsx'
import { notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  const [email, setEmail] = useState(emailFromLogin(useLocation().state))
  const form = useRef<HTMLFormElement>(null)
  const request = useMutation({
    mutationFn: () => call(accountEndpoints.askPasswordReset, { body: { email } }),
    onError: (error) => {
      if (form.current && problemOf(error)) focusFirstProblem(form.current)
      else notifyError(error, 'Could not send the link. Please try again.', { about: 'password reset' })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    request.mutate()
  }
  return (
    <EntryPage
      title="Forgot password"
      heading="Forgot your password?"
      lead="We’ll email you a link to set a new one."
      below={
        <>
          Remembered it?{' '}
          <TextLink underline="always" to={paths.login}>
            Login to your account
          </TextLink>
        </>
      }
    >
      {request.isSuccess ? (
        <CheckYourEmail email={email.trim()} onAgain={request.reset} />
      ) : (
        <form ref={form} onSubmit={submit} noValidate>
          <Stack gap="md">
            <TextInput
              label="Email"
              description="The one you sign in with"
              type="email"
              name="email"
              autoComplete="username"
              value={email}
              error={problemOf(request.error)}
              onChange={(event) => setEmail(event.currentTarget.value)}
              required
              withAsterisk={false}
            />
            <Button type="submit" size="md" disabled={email.trim() === ''} loading={request.isPending}>
              Send the link
            </Button>
          </Stack>
        </form>
      )}
    </EntryPage>
  )
}

/** Shown for every address, so the page doesn't reveal who has an account. */
function CheckYourEmail({ email, onAgain }: { email: string; onAgain: () => void }) {
  const { data: site } = useSite()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Stack gap="md" align="flex-start">
      <Title size="h3" ref={heading} tabIndex={-1}>
        Check your email
      </Title>
      <Text>
        If <strong>{email}</strong> has an account, a link is on its way. It works once, for 30 minutes.
        Didn’t get it? Check your spam folder and the spelling of the address.
      </Text>
      {site?.demo && (
        <Text className="second">
          This is a demo. Emails are not sent:{' '}
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

/** The login form passes on the address already typed there. */
function emailFromLogin(state: unknown): string {
  const email = typeof state === 'object' && state !== null && 'email' in state ? state.email : ''
  return typeof email === 'string' ? email : ''
}
