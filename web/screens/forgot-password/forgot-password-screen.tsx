import { Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { accountEndpoints } from '#contract/accounts.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { useSite } from '#web/api/site.ts'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { useTextForm } from '#web/components/form/use-text-form.ts'
import { TextLink } from '#web/components/links.tsx'
import { clearToast, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  const { values, field, submit, request } = useTextForm({
    start: { email: emailFromLogin(useLocation().state) },
    send: (body) => call(accountEndpoints.askPasswordReset, { body }),
    onSent: () => clearToast('password reset'),
    onFailed: (error) => {
      if (error instanceof ApiError && error.fields.email) return
      notifyError(error, 'Could not send the link. Please try again.', { about: 'password reset' })
    },
  })
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
        <CheckYourEmail email={values.email.trim()} onAgain={request.reset} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            <TextInput
              label="Email"
              description="The one you sign in with"
              type="email"
              autoComplete="username"
              {...field('email')}
            />
            <Button type="submit" size="md" disabled={values.email.trim() === ''} loading={request.isPending}>
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

/** The login form passes on the address already typed there. */
function emailFromLogin(state: unknown): string {
  const email = typeof state === 'object' && state !== null && 'email' in state ? state.email : ''
  return typeof email === 'string' ? email : ''
}
