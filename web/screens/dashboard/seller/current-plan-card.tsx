import { Card, Stack, Text, Title } from '@mantine/core'
import type { User } from '#contract/accounts.ts'
import { planName } from '#web/components/account/account-words.ts'
import { freePlan } from '#web/components/plans/offers.ts'

export function CurrentPlanCard({ user }: { user: User }) {
  return (
    <Card>
      <Stack gap="xs">
        <Title order={2} size="h3">
          Current plan
        </Title>
        <Text>
          <strong>{planName(user)}</strong>: {freePlan.name}, ${freePlan.priceDollars} per month
        </Text>
        <Text className="second">{freePlan.features.join(' · ')}</Text>
      </Stack>
    </Card>
  )
}
