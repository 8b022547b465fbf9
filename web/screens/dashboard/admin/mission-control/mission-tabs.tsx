import { Link, useSearchParams } from 'react-router'
import tabs from '#web/components/tabs.module.css'
import { useCurrentInSight } from '#web/components/use-current-in-sight.ts'
import { paths } from '#web/paths.ts'
import { type MissionView, missionViews, withView } from './mission-views.ts'

const ways = [
  { to: paths.adminDashboard, label: 'Admin Dashboard' },
  { to: paths.manageProducts, label: 'Admin Home Dash' },
]

export function MissionTabs({ view: current }: { view: MissionView }) {
  const [params] = useSearchParams()
  const bar = useCurrentInSight(current)
  return (
    <nav ref={bar} className={tabs.bar} aria-label="Mission Control">
      {missionViews.map(({ view, label }) => (
        <Link
          key={view}
          to={{ search: withView(params, view).toString() }}
          className={tabs.tab}
          aria-current={view === current ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
      {ways.map(({ to, label }) => (
        <Link key={to} to={to} className={tabs.tab}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
