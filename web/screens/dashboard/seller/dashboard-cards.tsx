import { Avatar, Card, Group, Text, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { User } from '#contract/accounts.ts'
import { firstLetter, payoutSentences } from '#web/components/account/account-words.ts'
import { adminLinks, Menu, NewMessages } from '#web/components/account/menu.tsx'
import { ButtonLink } from '#web/components/links.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import {
  useOpenBillingPortal,
  useOpenPayoutSettings,
  useRefreshStatus,
  useResumeOnboarding,
  useStartPayouts,
  useUpgrade,
} from '#web/components/payments/account-actions.ts'
import { ConnectBadge, PaymentButton, ProviderActions } from '#web/components/payments/payment-buttons.tsx'
import { timeAgo } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import classes from './dashboard-cards.module.css'

const title = 'Seller menu'

const free = [
  { label: 'Create Listing', to: paths.createListing },
  { label: 'My Listings', to: paths.myListings },
  { label: 'Messages', to: paths.leads, Aside: NewMessages },
  { label: 'Search Engine Advertising', to: paths.searchEngineAdvertising },
  { label: 'Customer Reviews', to: paths.customerReviews },
  { label: 'Account Settings', to: paths.accountSettings },
]

export function FreeMenu({ user }: { user: User }) {
  const { run, busy } = useUpgrade()
  const upgrade = { label: 'Upgrade to Pro (Unlock Ads)', run, busy }
  return <Menu title={title} items={[...free, upgrade, ...adminLinks(user)]} />
}

const pro = [
  { label: 'Create Listing', to: paths.createAutoPartListing },
  { label: 'My Listings', to: paths.myListings },
  { label: 'Messages', to: paths.leads, Aside: NewMessages },
  { label: 'Bulk Import', to: paths.createBulkListing },
  { label: 'Analytics', to: paths.analytics },
  { label: 'Marketing Automation', to: paths.marketingAutomation },
  { label: 'Account Settings', to: paths.accountSettings },
]

export function ProMenu({ user }: { user: User }) {
  const { run, busy } = useOpenBillingPortal()
  const billing = { label: 'Manage Billing', run, busy }
  return <Menu title={title} items={[...pro, billing, ...adminLinks(user)]} />
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
