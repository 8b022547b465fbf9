import { Link, useLocation, useSearchParams } from 'react-router'
import tabs from '#web/components/tabs.module.css'

const views = [
  { view: 'listing', label: 'Listing', search: '' },
  { view: 'history', label: 'History', search: '?view=history' },
] as const

export type ListingView = (typeof views)[number]['view']

export const useListingView = (): ListingView =>
  useSearchParams()[0].get('view') === 'history' ? 'history' : 'listing'

export function ListingViews({ view: current }: { view: ListingView }) {
  // Which list one came from.
  const { state } = useLocation()
  return (
    <nav aria-label="This listing" className={tabs.bar}>
      {views.map(({ view, label, search }) => (
        <Link
          key={view}
          to={{ search }}
          state={state}
          preventScrollReset
          className={tabs.tab}
          aria-current={view === current ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
