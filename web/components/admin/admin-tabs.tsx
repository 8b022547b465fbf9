import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import classes from './admin-layout.module.css'
import { adminTabs, isCurrentWay } from './admin-ways.ts'

export function AdminTabs() {
  const bar = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // The bar is wider than a phone: the place where one is comes into sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another current tab
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-current]')
    if (bar.current && current) bar.current.scrollLeft = current.offsetLeft - bar.current.offsetLeft
  }, [pathname])
  return (
    <nav ref={bar} className={classes.tabs} aria-label="Admin">
      {adminTabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          className={classes.tab}
          aria-current={isCurrentWay(tab, pathname) ? 'page' : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
