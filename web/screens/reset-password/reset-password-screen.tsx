import { Anchor, Button, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { accountEndpoints } from '#contract/accounts.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { clearSession } from '#web/api/session.ts'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { PasswordField } from '#web/components/form/password-field.tsx'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

const about = 'password reset'

export function Component() {
  const token = useLinkToken()
  return (
    <EntryPage
      title="Reset password"
      heading="Choose a new password"
      lead="You will be signed out everywhere and sign in with the new one."
      below={
        <Anchor component={Link} underline="always" to={paths.login}>
          Back to login
        </Anchor>
      }
    >
      {token === undefined ? (
        <AskAgain sentence="Open this page with the link in our mail. If the mail is gone, or the link was used already, ask for a new one." />
      ) : (
        <NewPassword key={token} token={token} />
      )}
    </EntryPage>
  )
}

function NewPassword({ token }: { token: string }) {
  const [password, setPassword] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const navigate = useNavigate()
  const saving = useMutation({
    mutationFn: () => call(accountEndpoints.resetPassword, { body: { token, password } }),
    onSuccess: async () => {
      // Whoever was signed in in this browser no longer is: the server ended every session of the account.
      clearSession()
      notifyDone('Password changed', { about })
      await navigate(paths.login, { replace: true })
    },
    onError: (error) => {
      if (isExpired(error)) return
      if (form.current && problemOf(error)) focusFirstProblem(form.current)
      else notifyError(error, 'Could not change the password. Please try again.', { about })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  if (isExpired(saving.error)) {
    return (
      <AskAgain sentence="This link was used already or is older than 30 minutes. Your password is as it was." />
    )
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md">
        <PasswordField
          label="New password"
          description="At least 8 characters; a few words in a row are easy to keep"
          name="password"
          autoComplete="new-password"
          value={password}
          error={problemOf(saving.error)}
          onChange={(event) => setPassword(event.currentTarget.value)}
          required
          withAsterisk={false}
        />
        <Button type="submit" size="md" disabled={password === ''} loading={saving.isPending}>
          Save new password
        </Button>
      </Stack>
    </form>
  )
}

function AskAgain({ sentence }: { sentence: string }) {
  return (
    <Stack gap="md" align="flex-start" role="alert">
      <Title order={2} size="h3">
        This link does not work
      </Title>
      <Text>{sentence}</Text>
      <Button component={Link} to={paths.forgotPassword}>
        Ask for a new link
      </Button>
    </Stack>
  )
}

const problemOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.fields.password : undefined

const isExpired = (error: unknown): boolean => error instanceof ApiError && error.code === 'LINK_EXPIRED'

/**
 * The one-time token of a mailed link. It stands behind the address's #, which no server and no other site gets to
 * see, and is taken out of the address bar as soon as it is read.
 */
function useLinkToken(): string | undefined {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState(hash.slice(1))
  useEffect(() => {
    if (hash === '') return
    // A newer link may be opened while this page stands.
    setToken(hash.slice(1))
    void navigate(pathname, { replace: true })
  }, [hash, pathname, navigate])
  return token === '' ? undefined : token
}
