import { NavLink, useLocation } from 'react-router'
import { useSession } from '#web/api/session.ts'
import tabs from '#web/components/tabs.module.css'
import { useCurrentInSight } from '#web/components/use-current-in-sight.ts'
import { paths } from '#web/paths.ts'

const ways = [
  { to: paths.myListings, label: 'My Listings' },
  { to: paths.createListing, label: 'Create Listing' },
  { to: paths.createAutoPartListing, label: 'E-commerce Listing' },
  { to: paths.createDataTableListing, label: 'Data-table Listing' },
  { to: paths.createBulkListing, label: 'Bulk Import' },
]

/** The bar on every listing page of a seller. */
export function SellerListingNav() {
  const { user } = useSession()
  const all = user?.role === 1 ? [...ways, { to: paths.adminDashboard, label: 'Admin Dashboard' }] : ways
  const bar = useCurrentInSight(useLocation().pathname)
  return (
    <nav ref={bar} className={tabs.bar} aria-label="Listings">
      {all.map(({ to, label }) => (
        <NavLink key={to} to={to} className={tabs.tab ?? ''} end>
          {label}
        </NavLink>
      ))}
    </nav>
  )
}
