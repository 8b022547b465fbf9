import { Button, Stack } from '@mantine/core'
import { useNavigate } from 'react-router'
import { accountEndpoints } from '#contract/account/accounts.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { clearSession } from '#web/api/session.ts'
import { DeadLink, EmailedLink, isExpired } from '#web/components/entry/emailed-link.tsx'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { NewPasswordField } from '#web/components/form/password-field.tsx'
import { useTextForm } from '#web/components/form/use-text-form.ts'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

const about = 'password reset'

export function Component() {
  return (
    <EntryPage
      title="Reset password"
      heading="Choose a new password"
      lead="You will be signed out everywhere, and all your API tokens end. Then sign in with the new password."
      below={
        <TextLink underline="always" to={paths.login}>
          Back to login
        </TextLink>
      }
    >
      <EmailedLink
        check={(token, signal) => call(accountEndpoints.checkPasswordLink, { body: { token }, signal })}
        missing={
          <AskAgain sentence="Open the link in our email. If you can’t find the email or already used the link, request a new one." />
        }
        dead={<AskAgain sentence={deadLink} />}
      >
        {(_found, token) => <NewPassword token={token} />}
      </EmailedLink>
    </EntryPage>
  )
}

const deadLink = 'This link was already used or is older than 30 minutes. Your password has not changed.'

function NewPassword({ token }: { token: string }) {
  const navigate = useNavigate()
  const { values, field, submit, request } = useTextForm({
    start: { password: '' },
    send: ({ password }) => call(accountEndpoints.resetPassword, { body: { token, password } }),
    onSent: async () => {
      // The server ended every session of the account, including this browser's.
      clearSession()
      notifyDone('Password changed', { about })
      await navigate(paths.login, { replace: true })
    },
    onFailed: (error) => {
      if (isExpired(error) || (error instanceof ApiError && error.fields.password)) return
      notifyError(error, 'Could not change the password. Please try again.', { about })
    },
  })
  if (isExpired(request.error)) {
    return <AskAgain sentence={deadLink} />
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <NewPasswordField label="New password" {...field('password')} />
        <Button type="submit" size="md" disabled={values.password === ''} loading={request.isPending}>
          Save new password
        </Button>
      </Stack>
    </form>
  )
}

function AskAgain({ sentence }: { sentence: string }) {
  return (
    <DeadLink next={<ButtonLink to={paths.forgotPassword}>Request a new link</ButtonLink>}>
      {sentence}
    </DeadLink>
  )
}
