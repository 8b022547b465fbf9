import { Alert, Group, Text } from '@mantine/core'
import type { User } from '#contract/accounts.ts'
import { planNotice } from '#web/components/account/account-words.ts'
import { ManageBilling } from './manage-billing.tsx'

/** What about the plan needs doing, such as a payment that failed; nothing where all is well. */
export function PlanNotice({ user }: { user: User }) {
  const notice = planNotice(user, new Date())
  if (!notice) return null
  return (
    <Alert color={notice.tone} variant="light" radius="lg">
      <Group justify="space-between" gap="sm">
        <Text flex="1 1 18rem">{notice.text}</Text>
        {notice.billing && <ManageBilling />}
      </Group>
    </Alert>
  )
}
