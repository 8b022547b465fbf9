import {
  Alert,
  Button,
  Checkbox,
  CopyButton,
  Modal,
  NativeSelect,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { apiTokenEndpoints, scopeWords, tokenLifetimes } from '#contract/account/api-tokens.ts'
import { type ApiScope, apiScopes } from '#contract/routes.ts'
import { call } from '#web/api/client.ts'
import { ApiError, errorSentence } from '#web/api/failures.ts'
import { focusFirstProblem } from '#web/components/form/problems.ts'

type NewTokenDialogProps = { opened: boolean; onClose: () => void; onCreated: () => void }

export function NewTokenDialog({ opened, onClose, onCreated }: NewTokenDialogProps) {
  const [token, setToken] = useState<string>()
  const close = () => {
    onClose()
    setToken(undefined)
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={token === undefined ? 'Create API token' : 'Copy your token now'}
      closeButtonProps={{ 'aria-label': 'Close' }}
      // The token is shown only once: a stray click must not lose it.
      closeOnClickOutside={token === undefined}
      closeOnEscape={token === undefined}
    >
      {token === undefined ? (
        <NewTokenForm
          onCreated={(created) => {
            setToken(created)
            onCreated()
          }}
        />
      ) : (
        <ShownToken token={token} onClose={close} />
      )}
    </Modal>
  )
}

function ShownToken({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Text>This is the only time we show it. Store it where your system keeps its passwords.</Text>
      <TextInput
        label="Token"
        value={token}
        readOnly
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <CopyButton value={token}>
        {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy token'}</Button>}
      </CopyButton>
      <Button variant="default" onClick={onClose}>
        Done
      </Button>
    </Stack>
  )
}

const lifetimeWords = (days: number | null): string => {
  if (days === null) return 'Never'
  return days === 365 ? 'In a year' : `In ${days} days`
}

type Draft = { name: string; scopes: ApiScope[]; lifetime: string }

/** The server's sentence for each field, shown beside it. */
const problemsOf = (error: unknown) => (error instanceof ApiError ? error.fields : {})

function NewTokenForm({ onCreated }: { onCreated: (token: string) => void }) {
  const [draft, setDraft] = useState<Draft>({ name: '', scopes: [], lifetime: '90' })
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const request = useMutation({
    mutationFn: ({ name, scopes, lifetime }: Draft) =>
      call(apiTokenEndpoints.createToken, {
        body: { name, scopes, expiresInDays: lifetime === '' ? null : Number(lifetime) },
      }),
    onSuccess: ({ token }) => onCreated(token),
  })
  const problems = problemsOf(request.error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    request.mutate(draft, { onError: () => focusFirstProblem(form) })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="The system that will use it"
          placeholder="Yard program"
          maxLength={80}
          value={draft.name}
          error={problems.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          data-autofocus
        />
        <Checkbox.Group
          label="What it may do"
          value={draft.scopes}
          error={problems.scopes}
          onChange={(chosen) => set({ scopes: apiScopes.filter((scope) => chosen.includes(scope)) })}
        >
          <Stack gap="xs" mt="xs">
            {apiScopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scopeWords[scope]} description={scope} />
            ))}
          </Stack>
        </Checkbox.Group>
        <NativeSelect
          label="Expires"
          value={draft.lifetime}
          error={problems.expiresInDays}
          data={tokenLifetimes.map((days) => ({ value: String(days ?? ''), label: lifetimeWords(days) }))}
          onChange={(event) => set({ lifetime: event.currentTarget.value })}
        />
        {request.error && Object.keys(problems).length === 0 && (
          <Alert color="bad" radius="md" role="alert">
            {errorSentence(request.error, 'The token could not be created. Please try again.')}
          </Alert>
        )}
        <Button type="submit" loading={request.isPending}>
          Create token
        </Button>
      </Stack>
    </form>
  )
}
