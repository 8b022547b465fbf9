import type { User } from '#contract/accounts.ts'
import { adminLinks } from '#web/components/account/admin-links.ts'
import { onboardingFor, paths } from '#web/paths.ts'

const free = [
  { label: 'Create Listing', to: paths.createListing },
  { label: 'My Listings', to: paths.myListings },
  { label: 'Search Engine Advertising', to: paths.searchEngineAdvertising },
  { label: 'Customer Reviews', to: paths.customerReviews },
  { label: 'Account Settings', to: paths.accountSettings },
  { label: 'Upgrade to Pro (Unlock Ads)', to: onboardingFor('pro') },
]

const pro = [
  { label: 'Create Listing', to: paths.createAutoPartListing },
  { label: 'My Listings', to: paths.myListings },
  { label: 'Bulk Import', to: paths.createBulkListing },
  { label: 'Analytics', to: paths.analytics },
  { label: 'Marketing Automation', to: paths.marketingAutomation },
  { label: 'Account Settings', to: paths.accountSettings },
]

/** The spec's menus of the two seller dashboards. */
export function sellerLinks(user: User): { label: string; to: string }[] {
  return [...(user.sellerTier === 'PAID' ? pro : free), ...adminLinks(user)]
}
