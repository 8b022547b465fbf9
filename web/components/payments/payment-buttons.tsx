import { Alert, Badge, Button, type ButtonProps, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { User } from '#contract/accounts.ts'
import { useSite } from '#web/api/site.ts'
import {
  connectColor,
  planNotice,
  statusWords,
  subscriptionColor,
  subscriptionWords,
} from '#web/components/account/account-words.ts'
import { useOpenBillingPortal, useUpgrade } from './account-actions.ts'
import type { PaymentAction } from './payment-action.ts'
import classes from './payment-buttons.module.css'

type PaymentButtonProps = ButtonProps & { action: PaymentAction; children: ReactNode }

/** Runs an action at the provider; while one runs, none of these buttons can be pressed. */
export function PaymentButton({ action, ...rest }: PaymentButtonProps) {
  const { run, running, busy } = action
  return <Button variant="default" {...rest} onClick={run} loading={running} disabled={busy} />
}

export function UpgradeButton(props: ButtonProps) {
  return (
    <PaymentButton action={useUpgrade()} {...props}>
      Upgrade to Pro
    </PaymentButton>
  )
}

export function ManageBilling() {
  return <PaymentButton action={useOpenBillingPortal()}>Manage Billing</PaymentButton>
}

/** Buttons that leave for the provider; where no money moves, it says so beside them. */
export function ProviderActions({ children }: { children: ReactNode }) {
  return (
    <Group gap="sm">
      {children}
      <TestPayments />
    </Group>
  )
}

/** Quiet, and only where payments are a rehearsal. */
export function TestPayments() {
  if (useSite().data?.payments !== 'test') return null
  return (
    <Text span className={classes.test} title="No money moves: payments are a rehearsal here">
      Test payments
    </Text>
  )
}

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

/** How the payout account stands; `about` names it where nothing beside it does. */
export function ConnectBadge({ user: { connectStatus }, about }: { user: User; about?: string }) {
  const words = statusWords(connectStatus)
  return <Badge color={connectColor(connectStatus)}>{about ? `${about}: ${words}` : words}</Badge>
}

/** How the subscription stands; `about` names it where nothing beside it does. */
export function SubscriptionBadge({ user, about }: { user: User; about?: string }) {
  const words = subscriptionWords(user)
  return <Badge color={subscriptionColor(user)}>{about ? `${about}: ${words}` : words}</Badge>
}
