import { Avatar, Card, Group, Text, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { User } from '#contract/account/accounts.ts'
import { firstLetter, payoutSentences } from '#web/components/account/account-words.ts'
import { Menu } from '#web/components/account/menu.tsx'
import { ButtonLink } from '#web/components/links.tsx'
import { useOwnSelling } from '#web/components/orders/own-selling.ts'
import { SectionCard } from '#web/components/page/section-card.tsx'
import {
  useOpenPayoutSettings,
  useRefreshStatus,
  useResumeOnboarding,
  useStartPayouts,
} from '#web/components/payments/account-actions.ts'
import {
  ConnectBadge,
  PaymentButton,
  PayoutNotice,
  ProviderActions,
} from '#web/components/payments/payment-buttons.tsx'
import { useSellerMenu } from '#web/components/seller/seller-menu.ts'
import { timeAgo } from '#web/components/time-words.ts'
import { paths, sellingSettings } from '#web/paths.ts'
import classes from './dashboard-cards.module.css'

/** The seller's menu as a card. Beside the side bar, which has the same entries, the layout hides it. */
export function SellerMenuCard({ user }: { user: User }) {
  return (
    <div data-seller-menu>
      <Menu title="Seller menu" items={useSellerMenu(user)} />
    </div>
  )
}

export function PersonCard({ user }: { user: User }) {
  return (
    <Card>
      <Group gap="md" wrap="nowrap">
        <Avatar color="sea" size="lg" radius="xl" aria-hidden>
          {firstLetter(user.name)}
        </Avatar>
        <div>
          <Title size="h3">{user.name}</Title>
          <Text className="second">Joined {timeAgo(user.createdAt, new Date())}</Text>
        </div>
      </Group>
    </Card>
  )
}

export function PayoutStatusCard({ user }: { user: User }) {
  const refresh = useRefreshStatus()
  return (
    <SectionCard title="Payouts" aside={<ConnectBadge user={user} />}>
      <Text className="second" flex={1}>
        {payoutSentences[user.connectStatus]}
      </Text>
      <PayoutNotice user={user} />
      <ProviderActions>
        <NextStep user={user} />
        <PaymentButton action={refresh}>Refresh Status</PaymentButton>
      </ProviderActions>
    </SectionCard>
  )
}

function NextStep({ user: { connectStatus, sellerTier } }: { user: User }) {
  const start = useStartPayouts()
  const openSettings = useOpenPayoutSettings()
  if (connectStatus === 'VERIFIED') {
    return <PaymentButton action={openSettings}>Open Payout Settings</PaymentButton>
  }
  // Pro sellers don't choose a plan again, and declined accounts need support. The card above covers both.
  if (sellerTier === 'PAID' || connectStatus === 'REJECTED') return null
  return <PaymentButton action={start}>Continue with Stripe</PaymentButton>
}

/** What a yard whose payouts are verified has to do before buyers can pay for its parts here. */
export function SellingStep({ user: { connectStatus } }: { user: User }) {
  const { data: selling } = useOwnSelling()
  const isDone = !selling?.available || (selling.enabled && selling.problem === null)
  // Before that, verifying payouts is the step, and has a card of its own.
  if (isDone || connectStatus !== 'VERIFIED') return null
  const { enabled, problem } = selling
  return (
    <Card className={classes.unfinished}>
      <Group justify="space-between" gap="sm">
        <div className={classes.words}>
          <Title size="h3">{enabled ? 'New orders are stopped' : 'Sell online'}</Title>
          <Text className="second">
            {problem ?? 'Let buyers pay for your parts here. You choose how you confirm and when you ship.'}
          </Text>
        </div>
        <ButtonLink to={sellingSettings}>
          {problem === null ? 'Set up selling online' : 'See what is missing'}
        </ButtonLink>
      </Group>
    </Card>
  )
}

const remainingStep: Record<Exclude<User['connectStatus'], 'VERIFIED'>, string> = {
  NOT_STARTED: 'You can list parts now. To pay you, Stripe needs a few details.',
  IN_PROGRESS: 'You can list parts now. To pay you, Stripe needs more details.',
  PENDING: 'Stripe is reviewing your details. Resume onboarding to see if it needs more.',
  REJECTED: 'Stripe declined this payout account. Contact us and we’ll help you find out what to do.',
}

/** What is left to do before the seller can be paid. */
export function PayoutsStep({ user: { connectStatus: status } }: { user: User }) {
  const resume = useResumeOnboarding()
  if (status === 'VERIFIED') {
    return (
      <Card padding="sm">
        <Group gap="sm" wrap="nowrap">
          <IconCircleCheck className={classes.good} aria-hidden />
          <Title size="h4">Payouts verified</Title>
        </Group>
      </Card>
    )
  }
  return (
    <Card className={classes.unfinished}>
      <Group justify="space-between" gap="sm">
        <div className={classes.words}>
          <Title size="h3">Finish your payout onboarding</Title>
          <Text className="second">{remainingStep[status]}</Text>
        </div>
        {status === 'REJECTED' ? (
          <ButtonLink to={paths.support} variant="default">
            Contact support
          </ButtonLink>
        ) : (
          <ProviderActions>
            <PaymentButton action={resume}>Resume onboarding</PaymentButton>
          </ProviderActions>
        )}
      </Group>
    </Card>
  )
}
