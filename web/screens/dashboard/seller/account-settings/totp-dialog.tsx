import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { encode } from 'uqr'
import { factorEndpoints } from '#contract/account/accounts.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { useTextForm } from '#web/components/form/use-text-form.ts'
import { notifyError } from '#web/components/toasts.tsx'
import '@mantine/core/styles/Code.layer.css'

export type NewApp = Answer<typeof factorEndpoints.startTotp>
type Added = Answer<typeof factorEndpoints.addTotp>

type TotpDialogProps = {
  /** The secret to show; the dialog is open while there is one. */
  app: NewApp | undefined
  onClose: () => void
  onAdded: (added: Added) => void
}

/** Shows a new secret to an authenticator app, and takes the code that proves it arrived. */
export function TotpDialog({ app, ...events }: TotpDialogProps) {
  return (
    <Modal opened={app !== undefined} onClose={events.onClose} title="Add an authenticator app">
      {app && <ScanAndConfirm app={app} {...events} />}
    </Modal>
  )
}

type ScanAndConfirmProps = TotpDialogProps & { app: NewApp }

function ScanAndConfirm({ app: { ticket, secret, address }, onClose, onAdded }: ScanAndConfirmProps) {
  const { field, submit, request, values } = useTextForm({
    start: { code: '' },
    send: ({ code }) => call(factorEndpoints.addTotp, { body: { ticket, code } }),
    onSent: onAdded,
    onFailed: (error) => {
      if (error instanceof ApiError && error.fields.code) return
      notifyError(error, 'Could not add the app', { place: 'top-center', about: 'two-step' })
    },
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text>Scan this with your authenticator app, then enter the code it shows.</Text>
        <QrCode text={address} />
        <Text size="sm" className="second">
          Can’t scan? Enter this key instead: <Code>{secret.replaceAll(/.{4}(?=.)/g, '$& ')}</Code>
        </Text>
        <TextInput
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          {...field('code')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={values.code.trim() === ''} loading={request.isPending}>
            Add app
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Dark on white in every color scheme, with the quiet zone that scanners need. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={220}
      height={220}
      role="img"
      aria-label="QR code for the authenticator app"
      shapeRendering="crispEdges"
      style={{ alignSelf: 'center' }}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
