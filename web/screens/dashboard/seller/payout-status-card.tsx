import { Card, Group, Stack, Text, Title } from '@mantine/core'
import type { User } from '#contract/accounts.ts'
import { payoutSentences } from '#web/components/account/account-words.ts'
import { useOpenPayoutSettings, useRefreshStatus } from '#web/components/payments/account-actions.ts'
import { ConnectBadge } from '#web/components/payments/connect-badge.tsx'
import { PaymentButton } from '#web/components/payments/payment-button.tsx'
import { useStartPayouts } from '#web/components/payments/plan-actions.ts'
import { ProviderActions } from '#web/components/payments/provider-actions.tsx'

/** How payouts stand, and the next thing to do about them. */
export function PayoutStatusCard({ user }: { user: User }) {
  const refresh = useRefreshStatus()
  return (
    <Card component="section" aria-labelledby="payout-status">
      <Stack gap="sm" h="100%">
        <Group justify="space-between">
          <Title order={2} size="h3" id="payout-status">
            Payouts
          </Title>
          <ConnectBadge user={user} />
        </Group>
        <Text className="second" flex={1}>
          {payoutSentences[user.connectStatus]}
        </Text>
        <ProviderActions>
          <NextStep user={user} />
          <PaymentButton action={refresh}>Refresh Status</PaymentButton>
        </ProviderActions>
      </Stack>
    </Card>
  )
}

function NextStep({ user: { connectStatus, sellerTier } }: { user: User }) {
  const start = useStartPayouts()
  const openSettings = useOpenPayoutSettings()
  if (connectStatus === 'VERIFIED') {
    return <PaymentButton action={openSettings}>Open Payout Settings</PaymentButton>
  }
  // Who pays for Pro chooses no plan again, and a declined account goes on with support: both in the step above.
  if (sellerTier === 'PAID' || connectStatus === 'REJECTED') return null
  return <PaymentButton action={start}>Continue with Stripe</PaymentButton>
}
