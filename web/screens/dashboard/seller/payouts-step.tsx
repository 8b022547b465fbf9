import { Card, Group, Text, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { User } from '#contract/accounts.ts'
import { useResumeOnboarding } from '#web/components/payments/account-actions.ts'
import { PaymentButton } from '#web/components/payments/payment-button.tsx'
import { TestPayments } from '#web/components/payments/provider-actions.tsx'
import classes from './payouts-step.module.css'

/** The step that is left before a seller can be paid; or that none is. */
export function PayoutsStep({ user }: { user: User }) {
  return user.connectStatus === 'VERIFIED' ? <Verified /> : <Unfinished />
}

function Verified() {
  return (
    <Card padding="sm">
      <Group gap="sm" wrap="nowrap">
        <IconCircleCheck className={classes.good} aria-hidden />
        <Title order={2} size="h4">
          Payouts verified
        </Title>
      </Group>
    </Card>
  )
}

function Unfinished() {
  return (
    <Card className={classes.unfinished}>
      <Group justify="space-between" gap="sm">
        <div>
          <Title order={2} size="h3">
            Finish your payout onboarding
          </Title>
          <Text className="second">You can list now; to be paid out, Stripe needs a few details.</Text>
        </div>
        <Group gap="sm">
          <PaymentButton action={useResumeOnboarding()}>Resume onboarding</PaymentButton>
          <TestPayments />
        </Group>
      </Group>
    </Card>
  )
}
