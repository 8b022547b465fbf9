import { Button, Stack, TextInput } from '@mantine/core'
import { useLocation } from 'react-router'
import { accountEndpoints } from '#contract/account/accounts.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { CheckYourEmail, emailFromLogin } from '#web/components/entry/check-your-email.tsx'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { useTextForm } from '#web/components/form/use-text-form.ts'
import { TextLink } from '#web/components/links.tsx'
import { clearToast, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  const { values, field, submit, request } = useTextForm({
    start: { email: emailFromLogin(useLocation().state) },
    send: (body) => call(accountEndpoints.requestPasswordReset, { body }),
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
        <CheckYourEmail email={values.email.trim()} minutes={30} onAgain={request.reset} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            <TextInput
              label="Email"
              description="The address you sign in with"
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
