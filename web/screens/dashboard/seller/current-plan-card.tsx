import { Card, Group, Stack, Text, Title } from '@mantine/core'
import type { User } from '#contract/accounts.ts'
import { planName } from '#web/components/account/account-words.ts'
import { SubscriptionBadge } from '#web/components/payments/subscription-badge.tsx'
import { freePlan } from '#web/components/plans/offers.ts'

export function CurrentPlanCard({ user }: { user: User }) {
  return (
    <Card>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h3">
            Current plan
          </Title>
          <SubscriptionBadge user={user} />
        </Group>
        <Text fw={600}>
          {planName(user)} · {freePlan.name}, ${freePlan.priceDollars} per month
        </Text>
        <Text className="second">{freePlan.features.join(' · ')}</Text>
      </Stack>
    </Card>
  )
}
