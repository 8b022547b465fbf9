import { Card, Group, Stack, Text, Title } from '@mantine/core'
import type { User } from '#contract/accounts.ts'
import { payoutSentences } from '#web/components/account/account-words.ts'
import { useOpenPayoutSettings, useRefreshStatus, useResumeOnboarding } from './account-actions.ts'
import { ConnectBadge } from './connect-badge.tsx'
import { PaymentButton } from './payment-button.tsx'
import { ProviderActions } from './provider-actions.tsx'

/** The payout account, in the settings. */
export function PayoutCard({ user }: { user: User }) {
  const resume = useResumeOnboarding()
  const refresh = useRefreshStatus()
  const openSettings = useOpenPayoutSettings()
  return (
    <Card component="section" aria-labelledby="payouts">
      <Stack gap="md">
        <div>
          <Group justify="space-between">
            <Title order={2} size="h3" id="payouts">
              Payout onboarding
            </Title>
            <ConnectBadge user={user} />
          </Group>
          <Text className="second">{payoutSentences[user.connectStatus]}</Text>
        </div>
        <ProviderActions>
          {user.connectStatus !== 'VERIFIED' && (
            <PaymentButton action={resume}>Resume onboarding</PaymentButton>
          )}
          <PaymentButton action={refresh}>Refresh Status</PaymentButton>
          <PaymentButton action={openSettings}>Open Payout Settings</PaymentButton>
        </ProviderActions>
      </Stack>
    </Card>
  )
}
