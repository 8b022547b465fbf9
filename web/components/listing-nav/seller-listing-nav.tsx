import { useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { paths } from '#web/paths.ts'
import classes from './seller-listing-nav.module.css'

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
  const bar = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a phone the bar is wider than the screen: the place where one is comes into sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another current way
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-current]')
    if (bar.current && current) bar.current.scrollLeft = current.offsetLeft - bar.current.offsetLeft
  }, [pathname])
  return (
    <nav ref={bar} className={classes.bar} aria-label="Listings">
      {all.map(({ to, label }) => (
        <NavLink key={to} to={to} className={classes.way ?? ''} end>
          {label}
        </NavLink>
      ))}
    </nav>
  )
}
