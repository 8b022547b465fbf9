import { Button, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { accountEndpoints } from '#contract/accounts.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { clearSession } from '#web/api/session.ts'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { PasswordField } from '#web/components/form/password-field.tsx'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

const about = 'password reset'

export function Component() {
  const token = useLinkToken()
  return (
    <EntryPage
      title="Reset password"
      heading="Choose a new password"
      lead="You will be signed out everywhere. Then sign in with the new password."
      below={
        <TextLink underline="always" to={paths.login}>
          Back to login
        </TextLink>
      }
    >
      {token === undefined ? (
        <AskAgain sentence="Open the link in our email. If you can’t find the email or already used the link, request a new one." />
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
      // The server ended every session of the account, including this browser's.
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
      <AskAgain sentence="This link was already used or is older than 30 minutes. Your password has not changed." />
    )
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md">
        <PasswordField
          label="New password"
          description="At least 8 characters. A few unrelated words are easy to remember."
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
      <Title size="h3">This link does not work</Title>
      <Text>{sentence}</Text>
      <ButtonLink to={paths.forgotPassword}>Request a new link</ButtonLink>
    </Stack>
  )
}

const problemOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.fields.password : undefined

const isExpired = (error: unknown): boolean => error instanceof ApiError && error.code === 'LINK_EXPIRED'

/**
 * The one-time token from an emailed link. It is in the URL fragment, which browsers send to no server, and is removed
 * from the address bar as soon as it is read.
 */
function useLinkToken(): string | undefined {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState(hash.slice(1))
  useEffect(() => {
    if (hash === '') return
    // A newer link may be opened while this page is open.
    setToken(hash.slice(1))
    void navigate(pathname, { replace: true })
  }, [hash, pathname, navigate])
  return token === '' ? undefined : token
}
