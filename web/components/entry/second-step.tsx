import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { SecondStep, SignedIn } from '#contract/account/accounts.ts'
import { finishSignIn } from '#web/api/account.ts'
import { ApiError } from '#web/api/failures.ts'
import { PasskeyError, signWithPasskey } from '#web/api/passkeys.ts'
import { notifyDone, notifyError, notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { dashboardOf, safeReturnPath } from '#web/paths.ts'

/** The target after sign-in: back to the page that required it, or the dashboard. */
export function useSignInRedirect(): (signedIn: SignedIn) => void {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  return ({ user, reopened }) => {
    notifyDone('Login successful', { about: 'login' })
    if (reopened) {
      notifyInfo('Your account stays open. Your listings will be live again in a few minutes.', {
        closeAfterMs: 15_000,
      })
    }
    void navigate(safeReturnPath(search.get('from')) ?? dashboardOf(user), { replace: true })
  }
}

type SecondStepFormProps = {
  step: SecondStep
  /** Back to email and password, also when the ticket has expired. */
  onAgain: () => void
}

/** After the password: a code of the app, a recovery code, or a passkey. */
export function SecondStepForm({ step, onAgain }: SecondStepFormProps) {
  const { ticket, factors, passkey } = step
  const arrive = useSignInRedirect()
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const signingIn = useMutation({
    mutationFn: async (typed: string | undefined) => {
      if (typed !== undefined) return finishSignIn(ticket, { code: typed })
      return finishSignIn(ticket, { assertion: await signWithPasskey(passkey ?? { challenge: '' }) })
    },
    onSuccess: arrive,
    onError: (error) => {
      if (error instanceof PasskeyError) return notifyProblem(error.message, { about: 'login' })
      notifyError(error, 'Login failed', { about: 'login' })
      if (error instanceof ApiError && error.code === 'TICKET_EXPIRED') onAgain()
      else field.current?.select()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signingIn.mutate(code)
  }
  const hasApp = factors.includes('totp')
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {passkey && (
          <Button size="md" onClick={() => signingIn.mutate(undefined)} loading={signingIn.isPending}>
            Use a passkey
          </Button>
        )}
        <TextInput
          ref={field}
          label={hasApp ? 'Code' : 'Recovery code'}
          description={
            hasApp ? 'The 6 digits that your app shows, or a recovery code' : 'If you lost your passkey'
          }
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button
          type="submit"
          size="md"
          variant={passkey ? 'default' : 'filled'}
          disabled={code.trim() === ''}
          loading={signingIn.isPending}
        >
          Continue
        </Button>
        <Button variant="subtle" onClick={onAgain}>
          Start over
        </Button>
        <Text size="sm" className="second">
          Lost everything? Ask your administrator or our support to turn off two-step sign-in.
        </Text>
      </Stack>
    </form>
  )
}
