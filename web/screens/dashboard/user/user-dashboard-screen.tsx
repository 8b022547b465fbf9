import { Grid, Stack } from '@mantine/core'
import type { User } from '#contract/account/accounts.ts'
import { useProfile } from '#web/api/account.ts'
import { planName, subscriptionWords } from '#web/components/account/account-words.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { adminLinks, Menu, NewMessages } from '#web/components/account/menu.tsx'
import { ButtonLink } from '#web/components/links.tsx'
import { Page } from '#web/components/page/page.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { useOpenPayoutSettings, useRefreshStatus } from '#web/components/payments/account-actions.ts'
import { BalanceCard } from '#web/components/payments/balance-card.tsx'
import {
  ConnectBadge,
  PaymentButton,
  PlanNotice,
  ProviderActions,
} from '#web/components/payments/payment-buttons.tsx'
import { paths } from '#web/paths.ts'
import { NewestListings } from './newest-listings.tsx'

/** The account overview. */
export function Component() {
  const user = useProfile()
  if (!user) return null
  return (
    <Page
      title="My Dashboard"
      heading={`Welcome, ${user.name}`}
      lead="Your parts, your money and your plan."
      actions={<ButtonLink to={paths.createListing}>Create a listing</ButtonLink>}
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            <PlanNotice user={user} />
            <BalanceCard user={user} actions={<BalanceActions />} />
            <NewestListings />
            <Snapshot user={user} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <DashboardMenu user={user} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function BalanceActions() {
  return (
    <ProviderActions>
      <PaymentButton action={useOpenPayoutSettings()}>Open Payout Settings</PaymentButton>
      <PaymentButton action={useRefreshStatus()}>Refresh Stripe Status</PaymentButton>
    </ProviderActions>
  )
}

function Snapshot({ user }: { user: User }) {
  return (
    <SectionCard title="Account snapshot">
      <Facts
        facts={[
          { name: 'Plan', value: planName(user) },
          { name: 'Subscription status', value: subscriptionWords(user) },
          { name: 'Connect status', value: <ConnectBadge user={user} /> },
        ]}
      />
    </SectionCard>
  )
}

/** The spec's 'Dashboard Menu' of sellers. */
function DashboardMenu({ user }: { user: User }) {
  const takesPayments = user.stripe_seller.charges_enabled
  return (
    <Menu
      title="Dashboard Menu"
      items={[
        { label: 'Create a New Listing', to: paths.createListing },
        { label: 'My Listings', to: paths.myListings },
        { label: 'Messages', to: paths.leads, Aside: NewMessages },
        { label: 'Saved Searches', to: paths.savedSearches },
        { label: 'What I Buy', to: paths.account },
        { label: 'Search Engine Ads', to: paths.searchEngineAdvertising },
        { label: 'Manage Customer Reviews', to: paths.customerReviews },
        { label: 'Account Settings', to: paths.accountSettings },
        { label: takesPayments ? 'My Seller Dashboard' : 'Become a Seller', to: paths.sellerDashboard },
        ...adminLinks(user),
      ]}
    />
  )
}
