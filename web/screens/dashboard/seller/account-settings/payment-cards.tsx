import { Card, Group, Stack, Text, Title } from '@mantine/core'
import type { User } from '#contract/accounts.ts'
import {
  isByArrangement,
  payoutSentences,
  planName,
  planNotice,
} from '#web/components/account/account-words.ts'
import { Facts } from '#web/components/account/facts.tsx'
import {
  useOpenPayoutSettings,
  useRefreshStatus,
  useResumeOnboarding,
} from '#web/components/payments/account-actions.ts'
import {
  ConnectBadge,
  ManageBilling,
  PaymentButton,
  ProviderActions,
  SubscriptionBadge,
  UpgradeButton,
} from '#web/components/payments/payment-buttons.tsx'
import { freePlan, proPlan } from '#web/components/plans/offers.ts'

export function SubscriptionCard({ user }: { user: User }) {
  const isPro = user.sellerTier === 'PAID'
  const notice = planNotice(user, new Date())
  const { priceDollars } = isPro ? proPlan : freePlan
  return (
    <Card component="section" aria-labelledby="subscription">
      <Stack gap="md">
        <Title size="h3" id="subscription">
          Subscription
        </Title>
        <Facts
          facts={[
            { name: 'Plan', value: planName(user) },
            { name: 'Status', value: <SubscriptionBadge user={user} /> },
            ...(isByArrangement(user) ? [] : [{ name: 'Price', value: `$${priceDollars} per month` }]),
          ]}
        />
        {notice && (
          <Text
            fw={600}
            c={notice.tone === 'bad' ? 'var(--mantine-color-error)' : 'var(--mantine-color-text)'}
          >
            {notice.text}
          </Text>
        )}
        <Actions user={user} billing={notice?.billing ?? false} />
      </Stack>
    </Card>
  )
}

function Actions({ user, billing }: { user: User; billing: boolean }) {
  return (
    <>
      {isByArrangement(user) && (
        <Text size="sm" className="second">
          You have Pro at no charge.
        </Text>
      )}
      <ProviderActions>
        {(user.sellerTier === 'PAID' || billing) && <ManageBilling />}
        {user.sellerTier !== 'PAID' && <UpgradeButton />}
      </ProviderActions>
    </>
  )
}

export function PayoutCard({ user }: { user: User }) {
  const resume = useResumeOnboarding()
  const refresh = useRefreshStatus()
  const openSettings = useOpenPayoutSettings()
  return (
    <Card component="section" aria-labelledby="payouts">
      <Stack gap="md">
        <div>
          <Group justify="space-between">
            <Title size="h3" id="payouts">
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
