import { useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router'
import classes from './admin-layout.module.css'
import { adminTabs } from './admin-ways.ts'

export function AdminTabs() {
  const bar = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // The bar is wider than most windows: the place where one is comes into sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another current tab
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-current]')
    if (bar.current && current) bar.current.scrollLeft = current.offsetLeft - bar.current.offsetLeft
  }, [pathname])
  return (
    <nav ref={bar} className={classes.tabs} aria-label="Admin">
      {adminTabs.map(({ label, to, exact = false }) => (
        <NavLink key={to} to={to} end={exact} className={classes.tab ?? ''}>
          {label}
        </NavLink>
      ))}
    </nav>
  )
}
