import type { User } from '#contract/accounts.ts'
import { adminLinks } from '#web/components/account/admin-links.ts'
import { Menu } from '#web/components/account/menu.tsx'
import { NewMessages } from '#web/components/account/new-messages.tsx'
import { useOpenBillingPortal } from '#web/components/payments/account-actions.ts'
import { useUpgrade } from '#web/components/payments/plan-actions.ts'
import { paths } from '#web/paths.ts'

const title = 'Seller menu'

const free = [
  { label: 'Create Listing', to: paths.createListing },
  { label: 'My Listings', to: paths.myListings },
  { label: 'Messages', to: paths.leads, Aside: NewMessages },
  { label: 'Search Engine Advertising', to: paths.searchEngineAdvertising },
  { label: 'Customer Reviews', to: paths.customerReviews },
  { label: 'Account Settings', to: paths.accountSettings },
]

/** The spec's menu of the free dashboard. */
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

/** The spec's menu of the Pro command center. */
export function ProMenu({ user }: { user: User }) {
  const { run, busy } = useOpenBillingPortal()
  const billing = { label: 'Manage Billing', run, busy }
  return <Menu title={title} items={[...pro, billing, ...adminLinks(user)]} />
}
