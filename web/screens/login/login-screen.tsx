import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { User } from '#contract/accounts.ts'
import { signIn } from '#web/api/account.ts'
import { ApiError } from '#web/api/failures.ts'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { PasswordField } from '#web/components/form/password-field.tsx'
import { TextLink } from '#web/components/links.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths, safeReturnPath } from '#web/paths.ts'

export function Component() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const passwordField = useRef<HTMLInputElement>(null)

  const login = useMutation({
    mutationFn: () => signIn(email.trim(), password),
    onSuccess: ({ user }) => {
      notifyDone('Login successful')
      void navigate(safeReturnPath(search.get('from')) ?? dashboardOf(user), { replace: true })
    },
    onError: (error) => {
      notifyError(error, 'Login failed', { about: 'login' })
      if (error instanceof ApiError && error.status === 401) passwordField.current?.select()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    login.mutate()
  }

  return (
    <EntryPage
      title="Login"
      heading="Login to your account"
      lead="Manage your listings, messages and analytics."
      below={
        <>
          New here?{' '}
          <TextLink underline="always" to={paths.register}>
            Register and list for free
          </TextLink>
        </>
      }
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label="Email"
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            required
            withAsterisk={false}
          />
          <PasswordField
            ref={passwordField}
            label="Password"
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            required
            withAsterisk={false}
          />
          <TextLink to={paths.forgotPassword} state={{ email }} size="sm" style={{ alignSelf: 'flex-end' }}>
            Forgot password?
          </TextLink>
          <Button
            type="submit"
            size="md"
            disabled={email.trim() === '' || password === ''}
            loading={login.isPending}
          >
            Login
          </Button>
        </Stack>
      </form>
    </EntryPage>
  )
}

const dashboardOf = (user: User) => (user.role === 1 ? paths.adminDashboard : paths.userDashboard)
