import { Button, Card, Group, Text, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { User } from '#contract/accounts.ts'
import { useResumeOnboarding } from '#web/components/payments/account-actions.ts'
import { PaymentButton } from '#web/components/payments/payment-button.tsx'
import { ProviderActions } from '#web/components/payments/provider-actions.tsx'
import { paths } from '#web/paths.ts'
import classes from './payouts-step.module.css'

type Unfinished = Exclude<User['connectStatus'], 'VERIFIED'>
const left: Record<Unfinished, string> = {
  NOT_STARTED: 'You can list now. To pay you out, Stripe needs a few details.',
  IN_PROGRESS: 'You can list now. To pay you out, Stripe still needs some details.',
  PENDING: 'Stripe is checking what you sent. If it needs more, resume onboarding to see what.',
  REJECTED:
    'Stripe declined this payout account. Write to us, and we will help you find out what can be done.',
}

/** The step that is left before a seller can be paid; or that none is. */
export function PayoutsStep({ user }: { user: User }) {
  const { connectStatus } = user
  return connectStatus === 'VERIFIED' ? <Verified /> : <Unfinished status={connectStatus} />
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

function Unfinished({ status }: { status: Unfinished }) {
  return (
    <Card className={classes.unfinished}>
      <Group justify="space-between" gap="sm">
        <div className={classes.words}>
          <Title order={2} size="h3">
            Finish your payout onboarding
          </Title>
          <Text className="second">{left[status]}</Text>
        </div>
        {status === 'REJECTED' ? <AskSupport /> : <Resume />}
      </Group>
    </Card>
  )
}

function Resume() {
  return (
    <ProviderActions>
      <PaymentButton action={useResumeOnboarding()}>Resume onboarding</PaymentButton>
    </ProviderActions>
  )
}

function AskSupport() {
  return (
    <Button component={Link} to={paths.support} variant="default">
      Write to support
    </Button>
  )
}
