import { Card, Stack, Text, Title } from '@mantine/core'
import type { User } from '#contract/accounts.ts'
import { isByArrangement, planName, planNotice } from '#web/components/account/account-words.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { freePlan, proPlan } from '#web/components/plans/offers.ts'
import { ManageBilling } from './manage-billing.tsx'
import { ProviderActions } from './provider-actions.tsx'
import { SubscriptionBadge } from './subscription-badge.tsx'
import { UpgradeButton } from './upgrade-button.tsx'

/** Plan and status, in the settings. */
export function SubscriptionCard({ user }: { user: User }) {
  const isPro = user.sellerTier === 'PAID'
  const notice = planNotice(user, new Date())
  const { priceDollars } = isPro ? proPlan : freePlan
  return (
    <Card component="section" aria-labelledby="subscription">
      <Stack gap="md">
        <Title order={2} size="h3" id="subscription">
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
          You have Pro by arrangement: nothing is charged for it.
        </Text>
      )}
      <ProviderActions>
        {(user.sellerTier === 'PAID' || billing) && <ManageBilling />}
        {user.sellerTier !== 'PAID' && <UpgradeButton />}
      </ProviderActions>
    </>
  )
}
