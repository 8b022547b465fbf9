import type { ComponentType } from 'react'
import type { User } from '#contract/account/accounts.ts'
import { adminLinks, type MenuItem, NewMessages } from '#web/components/account/menu.tsx'
import { OrdersToDo, useHasOrders } from '#web/components/orders/order-counts.tsx'
import { useOpenBillingPortal, useUpgrade } from '#web/components/payments/account-actions.ts'
import { paths } from '#web/paths.ts'

type Page = { label: string; to: string; Aside?: ComponentType }

const free: readonly Page[] = [
  { label: 'Create Listing', to: paths.createListing },
  { label: 'My Listings', to: paths.myListings },
  { label: 'Messages', to: paths.leads, Aside: NewMessages },
  { label: 'Orders', to: paths.sellerOrders, Aside: OrdersToDo },
  { label: 'Wanted Near You', to: paths.wanted },
  { label: 'Interchange', to: paths.interchange },
  { label: 'Search Engine Advertising', to: paths.searchEngineAdvertising },
  { label: 'Customer Reviews', to: paths.customerReviews },
  { label: 'Account Settings', to: paths.accountSettings },
]

const pro: readonly Page[] = [
  { label: 'Create Listing', to: paths.createAutoPartListing },
  { label: 'My Listings', to: paths.myListings },
  { label: 'Messages', to: paths.leads, Aside: NewMessages },
  { label: 'Orders', to: paths.sellerOrders, Aside: OrdersToDo },
  { label: 'Wanted Near You', to: paths.wanted },
  { label: 'Interchange', to: paths.interchange },
  { label: 'Bulk Import', to: paths.createBulkListing },
  { label: 'Analytics', to: paths.analytics },
  { label: 'Marketing Automation', to: paths.marketingAutomation },
  { label: 'Account Settings', to: paths.accountSettings },
]

/** The entries of a seller's menu, in the spec's words and order. */
export function useSellerMenu(user: Pick<User, 'role' | 'sellerTier'>): MenuItem[] {
  const upgrade = useUpgrade()
  const billing = useOpenBillingPortal()
  const hasOrders = useHasOrders()
  const isPro = user.sellerTier === 'PAID'
  const pages = (isPro ? pro : free).filter(({ to }) => to !== paths.sellerOrders || hasOrders)
  const own: MenuItem = isPro
    ? { label: 'Manage Billing', run: billing.run, busy: billing.busy }
    : { label: 'Upgrade to Pro (Unlock Ads)', run: upgrade.run, busy: upgrade.busy }
  return [...pages, own, ...adminLinks(user)]
}
