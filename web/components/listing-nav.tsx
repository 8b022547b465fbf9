import { NavLink, useLocation } from 'react-router'
import { useSession } from '#web/api/session.ts'
import tabs from '#web/components/page/tabs.module.css'
import { useScrollToCurrent } from '#web/components/page/tabs.ts'
import { paths } from '#web/paths.ts'

const links = [
  { to: paths.myListings, label: 'My Listings' },
  { to: paths.createListing, label: 'Create Listing' },
  { to: paths.createAutoPartListing, label: 'E-commerce Listing' },
  { to: paths.createDataTableListing, label: 'Data-table Listing' },
  { to: paths.createBulkListing, label: 'Bulk Import' },
]

/** The tab bar on a seller's listing pages. */
export function SellerListingNav() {
  const { user } = useSession()
  const all = user?.role === 1 ? [...links, { to: paths.adminDashboard, label: 'Admin Dashboard' }] : links
  const bar = useScrollToCurrent(useLocation().pathname)
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

/** Link state for a listing's form, so that saving returns to the list with the same page and filters. */
export function useListReturn(list: string): ListReturn | undefined {
  const { pathname, search } = useLocation()
  return pathname.replace(/\/$/, '') === list ? { listSearch: search } : undefined
}

/** The list to return to, with its page and filters if the user came from there. */
export function useListAddress(list: string): string {
  const { state } = useLocation()
  return isListReturn(state) ? list + state.listSearch : list
}

const isListReturn = (state: unknown): state is ListReturn =>
  typeof state === 'object' && state !== null && 'listSearch' in state && typeof state.listSearch === 'string'
