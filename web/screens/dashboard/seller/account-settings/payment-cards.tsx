import { Text } from '@mantine/core'
import type { User } from '#contract/account/accounts.ts'
import {
  isByArrangement,
  payoutSentences,
  planName,
  planNotice,
} from '#web/components/account/account-words.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import {
  useOpenPayoutSettings,
  useRefreshStatus,
  useResumeOnboarding,
} from '#web/components/payments/account-actions.ts'
import {
  ConnectBadge,
  ManageBilling,
  PaymentButton,
  PayoutNotice,
  ProviderActions,
  SubscriptionBadge,
  UpgradeButton,
} from '#web/components/payments/payment-buttons.tsx'
import { payoutNotice } from '#web/components/payments/payout-needs.ts'
import { usePlanPrice } from '#web/site/plans/offers.ts'

export function SubscriptionCard({ user }: { user: User }) {
  const isPro = user.sellerTier === 'PAID'
  const notice = planNotice(user, new Date())
  const price = usePlanPrice(isPro ? 'pro' : 'free')
  return (
    <SectionCard title="Subscription">
      <Facts
        facts={[
          { name: 'Plan', value: planName(user) },
          { name: 'Status', value: <SubscriptionBadge user={user} /> },
          ...(isByArrangement(user) ? [] : [{ name: 'Price', value: `${price} per month` }]),
        ]}
      />
      {notice && (
        <Text fw={600} c={notice.tone === 'bad' ? 'var(--mantine-color-error)' : 'var(--mantine-color-text)'}>
          {notice.text}
        </Text>
      )}
      {isByArrangement(user) && (
        <Text size="sm" className="second">
          You have Pro at no charge.
        </Text>
      )}
      <ProviderActions>
        {(isPro || notice?.billing) && <ManageBilling />}
        {!isPro && <UpgradeButton />}
      </ProviderActions>
    </SectionCard>
  )
}

export function PayoutCard({ user }: { user: User }) {
  const resume = useResumeOnboarding()
  const refresh = useRefreshStatus()
  const openSettings = useOpenPayoutSettings()
  return (
    <SectionCard
      title="Payout onboarding"
      lead={payoutSentences[user.connectStatus]}
      aside={<ConnectBadge user={user} />}
    >
      <PayoutNotice user={user} />
      <ProviderActions>
        {user.connectStatus !== 'VERIFIED' && payoutNotice(user)?.fix !== 'onboarding' && (
          <PaymentButton action={resume}>Resume onboarding</PaymentButton>
        )}
        <PaymentButton action={refresh}>Refresh Status</PaymentButton>
        <PaymentButton action={openSettings}>Open Payout Settings</PaymentButton>
      </ProviderActions>
    </SectionCard>
  )
}
