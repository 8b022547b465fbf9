import { Alert, Anchor, Button, Container, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { accountEndpoints } from '#contract/account/accounts.ts'
import { keepUser } from '#web/api/account.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

const about = 'confirmation link'

function useMailLinkAgain() {
  return useMutation({
    mutationFn: () => call(accountEndpoints.mailAddressLink),
    onSuccess: () => notifyDone('Link sent', { about }),
    onError: (error) => notifyError(error, 'Could not send the link. Please try again.', { about }),
  })
}

/** In a demo, where to find the email. */
function OutboxNote() {
  const { data: site } = useSite()
  if (!site?.demo) return null
  return (
    <>
      {' '}
      This is a demo:{' '}
      <Anchor href={paths.outbox} underline="always" inherit>
        open the outbox
      </Anchor>
      .
    </>
  )
}

/** On every page of a signed-in user whose address is not confirmed. */
export function ConfirmEmailBanner() {
  const { user } = useSession()
  const again = useMailLinkAgain()
  if (!user || user.emailConfirmed || user.pendingEmail !== null) return null
  return (
    <Container size="78rem" w="100%" pt="md">
      <Alert role="status" color="sea" variant="light" radius="lg" title="Confirm your email address">
        <Group justify="space-between" gap="sm">
          <Text flex="1 1 20rem">
            Open the link we emailed to <strong>{user.email}</strong>. Until then you can list parts, but not
            import files or email buyers.
            <OutboxNote />
          </Text>
          <Button variant="default" onClick={() => again.mutate()} loading={again.isPending}>
            Send it again
          </Button>
        </Group>
      </Alert>
    </Container>
  )
}

/** A change of the address that waits for the new one. */
export function PendingEmail({ email, current }: { email: string; current: string }) {
  const again = useMailLinkAgain()
  const cancel = useMutation({
    mutationFn: () => call(accountEndpoints.cancelEmailChange),
    onSuccess: async (user) => {
      await keepUser(user)
      notifyDone('Change canceled', { about })
    },
    onError: (error) => notifyError(error, 'Could not cancel the change. Please try again.', { about }),
  })
  return (
    <Alert role="status" color="sea" variant="light" radius="md" title={`Waiting for ${email}`}>
      <Stack gap="sm">
        <Text>
          Open the link we emailed there within 24 hours. Until then, sign in with {current}.
          <OutboxNote />
        </Text>
        <Group gap="sm">
          <Button variant="default" size="xs" onClick={() => again.mutate()} loading={again.isPending}>
            Send the link again
          </Button>
          <Button variant="default" size="xs" onClick={() => cancel.mutate()} loading={cancel.isPending}>
            Cancel the change
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
