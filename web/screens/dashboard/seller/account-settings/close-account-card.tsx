import { Alert, Button, List, Modal, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { closingEndpoints, DAYS_TO_REOPEN, type User } from '#contract/account/accounts.ts'
import { call } from '#web/api/client.ts'
import { forgetDeviceCopies } from '#web/api/device-copies.ts'
import { errorSentence } from '#web/api/failures.ts'
import { clearSession } from '#web/api/session.ts'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { longDateUtc } from '#web/components/time-words.ts'
import { notifyDone } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

export function CloseAccountCard({ user }: { user: User }) {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <SectionCard
      title="Close account"
      lead={`Takes your listings down now and erases your data after ${DAYS_TO_REOPEN} days.`}
    >
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        onClick={open}
        style={{ alignSelf: 'flex-start' }}
      >
        Close account
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title="Close your account?"
        closeButtonProps={{ 'aria-label': 'Close dialog' }}
      >
        <CloseQuestion user={user} onCancel={close} />
      </Modal>
    </SectionCard>
  )
}

/** What happens when, in order. */
function Consequences({ user }: { user: User }) {
  const hasPlan = user.subscriptionId !== null && user.sellerTier === 'PAID'
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        Right away
      </Title>
      <List size="sm">
        <List.Item>You are signed out on every device, and API tokens stop working.</List.Item>
        <List.Item>Your listings come down.</List.Item>
        {hasPlan && <List.Item>Your Pro subscription ends. You won’t be charged again.</List.Item>}
      </List>
      <Title order={3} size="h5">
        After {DAYS_TO_REOPEN} days
      </Title>
      <List size="sm">
        <List.Item>Your name and email are erased. You can use the email for a new account.</List.Item>
        <List.Item>Your listings, pictures, imports and settings are erased.</List.Item>
        <List.Item>Messages from buyers lose their text, names and addresses.</List.Item>
      </List>
      <Title order={3} size="h5">
        What stays
      </Title>
      <List size="sm">
        <List.Item>Stripe keeps invoices and payouts, as the law requires.</List.Item>
        <List.Item>Our audit log keeps what was done and when, with a number instead of your name.</List.Item>
      </List>
      <Text size="sm" fw={600}>
        Changed your mind? Sign in within {DAYS_TO_REOPEN} days, and your account and listings come back.
      </Text>
    </Stack>
  )
}

function CloseQuestion({ user, onCancel }: { user: User; onCancel: () => void }) {
  const navigate = useNavigate()
  const request = useMutation({
    mutationFn: () => call(closingEndpoints.closeAccount),
    onSuccess: async ({ eraseAfter }) => {
      // Leave first, so this page's guard does not start its countdown.
      await navigate(paths.login)
      clearSession()
      forgetDeviceCopies()
      notifyDone(`Account closed. Sign in before ${longDateUtc(eraseAfter)} to reopen it.`)
    },
  })
  return (
    <Stack gap="md">
      <Consequences user={user} />
      {request.error && (
        <Alert color="bad" radius="md" role="alert">
          {errorSentence(request.error, 'Your account could not be closed. Please try again.')}
        </Alert>
      )}
      <Button color="bad" loading={request.isPending} onClick={() => request.mutate()}>
        Close account
      </Button>
      <Button variant="default" onClick={onCancel} data-autofocus>
        Keep account
      </Button>
    </Stack>
  )
}
