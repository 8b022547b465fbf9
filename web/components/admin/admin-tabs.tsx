import { Link, useLocation } from 'react-router'
import tabs from '#web/components/tabs.module.css'
import { useCurrentInSight } from '#web/components/use-current-in-sight.ts'
import classes from './admin-layout.module.css'
import { adminTabs, isCurrentWay } from './admin-ways.ts'

export function AdminTabs() {
  const { pathname } = useLocation()
  const bar = useCurrentInSight(pathname)
  return (
    <nav ref={bar} className={`${tabs.row} ${classes.tabs}`} aria-label="Admin">
      {adminTabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          className={tabs.tab}
          aria-current={isCurrentWay(tab, pathname) ? 'page' : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
