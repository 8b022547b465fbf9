import { Alert, Badge, Button, type ButtonProps, Group, List, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { User } from '#contract/account/accounts.ts'
import { useSite } from '#web/api/site.ts'
import {
  connectColors,
  planNotice,
  statusWords,
  subscriptionColor,
  subscriptionWords,
} from '#web/components/account/account-words.ts'
import { ButtonLink } from '#web/components/links.tsx'
import { paths } from '#web/paths.ts'
import { useOpenBillingPortal, useResumeOnboarding, useUpgrade } from './account-actions.ts'
import type { PaymentAction } from './payment-action.ts'
import classes from './payment-buttons.module.css'
import { payoutNotice } from './payout-needs.ts'

type PaymentButtonProps = ButtonProps & { action: PaymentAction; children: ReactNode }

/** Disabled while any payment action runs. */
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

/** Buttons that lead to Stripe, marked if payments are in test mode. */
export function ProviderActions({ children }: { children: ReactNode }) {
  return (
    <Group gap="sm">
      {children}
      <TestPayments />
    </Group>
  )
}

export function TestPayments() {
  if (useSite().data?.payments !== 'test') return null
  return (
    <Text span className={classes.test} title="Test mode: no real money is charged">
      Test payments
    </Text>
  )
}

/** A problem with the plan, such as a failed payment. Renders nothing if there is none. */
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

/** What Stripe needs to start or keep paying out, with the button for it. Renders nothing if it needs nothing. */
export function PayoutNotice({ user }: { user: User }) {
  const notice = payoutNotice(user)
  const resume = useResumeOnboarding()
  if (!notice) return null
  return (
    <Alert color={notice.tone} variant="light" radius="lg">
      <Stack gap="xs">
        <Text>{notice.text}</Text>
        {notice.items.length > 0 && (
          <List size="sm">
            {notice.items.map((item) => (
              <List.Item key={item}>{item}</List.Item>
            ))}
          </List>
        )}
        {notice.fix === 'onboarding' && (
          <Group>
            <PaymentButton action={resume}>Add the details at Stripe</PaymentButton>
          </Group>
        )}
        {notice.fix === 'support' && (
          <Group>
            <ButtonLink to={paths.support} variant="default">
              Contact Technical Support
            </ButtonLink>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

export function ConnectBadge({ user: { connectStatus }, about }: { user: User; about?: string }) {
  const words = statusWords(connectStatus)
  return <Badge color={connectColors[connectStatus]}>{about ? `${about}: ${words}` : words}</Badge>
}

/** The subscription's status. `about` labels it where no heading does. */
export function SubscriptionBadge({ user, about }: { user: User; about?: string }) {
  const words = subscriptionWords(user)
  return <Badge color={subscriptionColor(user)}>{about ? `${about}: ${words}` : words}</Badge>
}
