import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import type { SecondStep } from '#contract/account/accounts.ts'
import { signIn } from '#web/api/account.ts'
import { ApiError } from '#web/api/failures.ts'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { SecondStepForm, useSignInRedirect } from '#web/components/entry/second-step.tsx'
import { PasswordField } from '#web/components/form/password-field.tsx'
import { useTextForm } from '#web/components/form/use-text-form.ts'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { clearToast, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  const [step, setStep] = useState<SecondStep>()
  return (
    <EntryPage
      title="Login"
      heading={step ? 'One more step' : 'Login to your account'}
      lead={step ? 'Show that it’s you.' : 'Manage your listings, messages and analytics.'}
      below={
        <>
          New here?{' '}
          <TextLink underline="always" to={paths.register}>
            Register and list for free
          </TextLink>
        </>
      }
    >
      {step ? (
        <SecondStepForm step={step} onAgain={() => setStep(undefined)} />
      ) : (
        <PasswordForm onSecondStep={setStep} />
      )}
    </EntryPage>
  )
}

/** Strangers tried too many passwords for this account: it only opens on known devices and by an emailed link. */
const needsLink = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'LINK_NEEDED'

function PasswordForm({ onSecondStep }: { onSecondStep: (step: SecondStep) => void }) {
  const arrive = useSignInRedirect()
  const passwordField = useRef<HTMLInputElement>(null)
  const { values, field, submit, request } = useTextForm({
    start: { email: '', password: '' },
    send: ({ email, password }) => signIn(email.trim(), password),
    onSent: (answer) => ('ticket' in answer ? onSecondStep(answer) : arrive(answer)),
    onFailed: (error) => {
      if (needsLink(error)) return clearToast('login')
      notifyError(error, 'Login failed', { about: 'login' })
      if (error instanceof ApiError && error.status === 401) passwordField.current?.select()
    },
    problemsOf: () => ({}),
  })
  const { email, password } = values

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput label="Email" type="email" autoComplete="username" {...field('email')} />
        <PasswordField
          ref={passwordField}
          label="Password"
          autoComplete="current-password"
          {...field('password')}
        />
        <TextLink to={paths.forgotPassword} state={{ email }} size="sm" style={{ alignSelf: 'flex-end' }}>
          Forgot password?
        </TextLink>
        {needsLink(request.error) && (
          <Alert color="yellow" role="alert">
            <Stack gap="sm" align="flex-start">
              {request.error.message}
              <ButtonLink to={paths.signInLink} state={{ email }} variant="default">
                Email me a sign-in link
              </ButtonLink>
            </Stack>
          </Alert>
        )}
        <Button
          type="submit"
          size="md"
          disabled={email.trim() === '' || password === ''}
          loading={request.isPending}
        >
          Login
        </Button>
      </Stack>
    </form>
  )
}
