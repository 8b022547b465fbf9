import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { factorEndpoints } from '#contract/account/accounts.ts'
import { call, setReauthDialog } from '#web/api/client.ts'
import { errorSentence } from '#web/api/failures.ts'
import { canUsePasskeys, PasskeyError, signWithPasskey } from '#web/api/passkeys.ts'
import { PasswordField } from '#web/components/form/password-field.tsx'

/**
 * Asks for the password or a passkey when a call requires a recent sign-in; the call is then repeated. There is one for the
 * whole app.
 */
export function ReauthDialog() {
  const [answer, setAnswer] = useState<(confirmed: boolean) => void>()
  useEffect(() => {
    setReauthDialog(() => new Promise((resolve) => setAnswer(() => resolve)))
    return () => setReauthDialog(undefined)
  }, [])
  const close = (confirmed: boolean) => {
    answer?.(confirmed)
    setAnswer(undefined)
  }
  return (
    <Modal opened={answer !== undefined} onClose={() => close(false)} title="Confirm it’s you">
      {answer && <Confirm onDone={() => close(true)} onCancel={() => close(false)} />}
    </Modal>
  )
}

function Confirm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const [password, setPassword] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const confirming = useMutation({
    mutationFn: (proof: 'password' | 'passkey') =>
      proof === 'password' ? sendPassword(password) : sendPasskey(),
    onSuccess: onDone,
    onError: () => field.current?.select(),
  })
  const { data } = useQuery({
    queryKey: ['factors'],
    queryFn: ({ signal }) => call(factorEndpoints.listFactors, { signal }),
  })
  const hasPasskey = canUsePasskeys(data?.passkeysAt) && data?.items.some(({ kind }) => kind === 'passkey')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirming.mutate('password')
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text>Enter your password again, because you signed in a while ago.</Text>
        <PasswordField
          ref={field}
          label="Password"
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={confirming.error ? sentenceOf(confirming.error) : undefined}
        />
        <Group justify="flex-end">
          {hasPasskey && (
            <Button variant="default" mr="auto" onClick={() => confirming.mutate('passkey')}>
              Use a passkey
            </Button>
          )}
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={password === ''} loading={confirming.isPending}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const sendPassword = (password: string) => call(factorEndpoints.reauth, { body: { password } })

async function sendPasskey() {
  const { ticket, passkey } = await call(factorEndpoints.startReauth)
  if (ticket === undefined || passkey === undefined) throw new PasskeyError('You no longer have a passkey.')
  return call(factorEndpoints.reauth, { body: { ticket, assertion: await signWithPasskey(passkey) } })
}

const sentenceOf = (error: Error) =>
  error instanceof PasskeyError
    ? error.message
    : errorSentence(error, 'This could not be checked. Please try again.')
