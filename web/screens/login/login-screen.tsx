import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { SecondStep, SignedIn } from '#contract/account/accounts.ts'
import { showPasskey, signIn } from '#web/api/account.ts'
import { ApiError } from '#web/api/failures.ts'
import { canUsePasskeys, PasskeyError } from '#web/api/passkeys.ts'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { SecondStepForm, useSignInRedirect } from '#web/components/entry/second-step.tsx'
import { PasswordField } from '#web/components/form/password-field.tsx'
import { useTextForm } from '#web/components/form/use-text-form.ts'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { clearToast, notifyError, notifyProblem } from '#web/components/toasts.tsx'
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

/** Strangers tried too many passwords for this account: it opens with more than a password. */
const isGuessed = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'LINK_NEEDED'

const NOT_THIS_CODE = 'This recovery code is wrong or was already used'
const NOT_THIS_PASSKEY = 'This passkey doesn’t belong to this account.'

function PasswordForm({ onSecondStep }: { onSecondStep: (step: SecondStep) => void }) {
  const arrive = useSignInRedirect()
  const passwordField = useRef<HTMLInputElement>(null)
  const [refused, setRefused] = useState<ApiError>()
  const { values, field, submit, request } = useTextForm({
    start: { email: '', password: '', code: '' },
    send: ({ email, password, code }) => signIn(email.trim(), password, code.trim() ? { code } : undefined),
    onSent: (answer) => ('ticket' in answer ? onSecondStep(answer) : arrive(answer)),
    onFailed: (error) => {
      if (isGuessed(error)) {
        setRefused(error)
        return clearToast('login')
      }
      notifyError(error, 'Login failed', { about: 'login' })
      if (error instanceof ApiError && error.status === 401) passwordField.current?.select()
    },
    problemsOf: () => ({}),
  })
  const { email, password, code } = values
  const isWrongCode = isGuessed(request.error) && code.trim() !== '' && request.variables?.code === code
  const isFilled = email.trim() !== '' && password !== ''

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
        {refused && (
          <>
            <Alert color="yellow" role="alert">
              <Stack gap="sm" align="flex-start">
                {refused.message}
                <ButtonLink to={paths.signInLink} state={{ email }} variant="default">
                  Email me a sign-in link
                </ButtonLink>
                {canUsePasskeys(window.location.origin) && (
                  <PasskeyButton email={email} password={password} disabled={!isFilled} onDone={arrive} />
                )}
              </Stack>
            </Alert>
            <TextInput
              label="Recovery code"
              description="If you have one. It works once."
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
              {...field('code', false)}
              error={isWrongCode && NOT_THIS_CODE}
            />
          </>
        )}
        <Button type="submit" size="md" disabled={!isFilled} loading={request.isPending}>
          Login
        </Button>
      </Stack>
    </form>
  )
}

type PasskeyButtonProps = {
  email: string
  password: string
  disabled: boolean
  onDone: (signedIn: SignedIn) => void
}

/** Signs in with the password and a passkey of this device. */
function PasskeyButton({ email, password, disabled, onDone }: PasskeyButtonProps) {
  const signingIn = useMutation({
    mutationFn: async () => signIn(email.trim(), password, await showPasskey()),
    onSuccess: (answer) => {
      if ('token' in answer) onDone(answer)
      else notifyProblem(NOT_THIS_PASSKEY, { about: 'login' })
    },
    onError: (error) => {
      if (error instanceof PasskeyError) return notifyProblem(error.message, { about: 'login' })
      if (isGuessed(error)) return notifyProblem(NOT_THIS_PASSKEY, { about: 'login' })
      notifyError(error, 'Login failed', { about: 'login' })
    },
  })
  return (
    <Button
      variant="default"
      disabled={disabled}
      loading={signingIn.isPending}
      onClick={() => signingIn.mutate()}
    >
      Use a passkey
    </Button>
  )
}
