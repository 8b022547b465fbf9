import type { User } from '#contract/accounts.ts'
import { adminLinks } from '#web/components/account/admin-links.ts'
import { Menu } from '#web/components/account/menu.tsx'
import { NewMessages } from '#web/components/account/new-messages.tsx'
import { paths } from '#web/paths.ts'

/** The spec's 'Dashboard Menu' of sellers. */
export function DashboardMenu({ user }: { user: User }) {
  const takesPayments = user.stripe_seller.charges_enabled
  return (
    <Menu
      title="Dashboard Menu"
      items={[
        { label: 'Create a New Listing', to: paths.createListing },
        { label: 'My Listings', to: paths.myListings },
        { label: 'Messages', to: paths.leads, Aside: NewMessages },
        { label: 'Search Engine Ads', to: paths.searchEngineAdvertising },
        { label: 'Manage Customer Reviews', to: paths.customerReviews },
        { label: 'Account Settings', to: paths.accountSettings },
        { label: takesPayments ? 'My Seller Dashboard' : 'Become a Seller', to: paths.sellerDashboard },
        ...adminLinks(user),
      ]}
    />
  )
}
