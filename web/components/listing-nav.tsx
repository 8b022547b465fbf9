import { NavLink, useLocation } from 'react-router'
import { useSession } from '#web/api/session.ts'
import tabs from '#web/components/page/tabs.module.css'
import { useCurrentInSight } from '#web/components/page/tabs.ts'
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

type ListReturn = { readonly listSearch: string }

/** The state of a link from a list to a listing's form: saving leads back to the list as it stands, its page and filters included. */
export function useListReturn(list: string): ListReturn | undefined {
  const { pathname, search } = useLocation()
  return pathname.replace(/\/$/, '') === list ? { listSearch: search } : undefined
}

/** Where a form leads back to: its list, as it was left if that is where one came from. */
export function useListAddress(list: string): string {
  const { state } = useLocation()
  return isListReturn(state) ? list + state.listSearch : list
}

const isListReturn = (state: unknown): state is ListReturn =>
  typeof state === 'object' && state !== null && 'listSearch' in state && typeof state.listSearch === 'string'
