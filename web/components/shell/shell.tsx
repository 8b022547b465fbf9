import { useEffect, useRef } from 'react'
import { Link, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { queryClient } from '#web/api/client.ts'
import { onSessionEnded, useSession } from '#web/api/session.ts'
import { useProductName, useSite } from '#web/api/site.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import classes from './shell.module.css'
import { Brand, TopNavigation } from './top-navigation.tsx'

/** The frame of every page: navigation, content, footer. */
export function Shell() {
  const main = useRef<HTMLElement>(null)
  useFocusOnNewPage(main)
  const moving = useNavigation().state !== 'idle'

  useResetForNextUser()

  useEffect(() => onSessionEnded(() => notifyProblem('Your session has ended. Please log in again.')), [])

  return (
    <div className={classes.shell}>
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      {moving && <div className={classes.progress} role="progressbar" aria-label="Loading page" />}
      <TopNavigation />
      <main id="main" ref={main} tabIndex={-1} className={classes.main} aria-busy={moving}>
        <Outlet />
      </main>
      <Footer />
      <ScrollRestoration />
    </div>
  )
}

/** Drops one user's data before the next user sees the page, also if another tab signed in or out. */
function useResetForNextUser(): void {
  const id = useSession().user?.id
  const before = useRef(id)
  useEffect(() => {
    if (before.current !== undefined && before.current !== id) void queryClient.resetQueries()
    before.current = id
  }, [id])
}

/** Focuses the heading of a new page for screen readers, unless the page set the focus itself. */
function useFocusOnNewPage(main: React.RefObject<HTMLElement | null>): void {
  const { pathname, hash } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (hash !== '' || main.current?.contains(document.activeElement)) return
    const target = main.current?.querySelector('h1') ?? main.current
    target?.setAttribute('tabindex', '-1')
    target?.focus({ preventScroll: true })
  }, [pathname, hash, main])
}

const columns = [
  {
    title: 'Sell',
    links: [
      { label: 'Sign up', to: paths.signup },
      { label: 'Seller plans', to: paths.onboarding },
    ],
  },
  {
    title: 'Help',
    links: [
      { label: 'Support articles', to: paths.help },
      { label: 'Technical support', to: paths.support },
    ],
  },
  {
    title: 'Company',
    links: [
      { label: 'About us', to: paths.about },
      { label: 'Contact us', to: paths.contact },
      { label: 'Careers', to: paths.careers },
      { label: 'Press', to: paths.press },
    ],
  },
  {
    title: 'Legal',
    links: [
      { label: 'Terms of service', to: paths.terms },
      { label: 'Privacy policy', to: paths.privacy },
    ],
  },
]

function Footer() {
  const name = useProductName()
  const demo = useSite().data?.demo === true
  return (
    <footer className={`ink ${classes.footer}`}>
      <div className={classes.footerInner}>
        <div className={classes.footerBrand}>
          <Brand />
          <p>Used and OEM auto parts, from the yards that pulled them.</p>
        </div>
        {columns.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <p className={classes.footerTitle}>{title}</p>
            <ul>
              {links.map(({ label, to }) => (
                <li key={to}>
                  <Link to={to}>{label}</Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <div className={classes.footerEnd}>
        <span>
          © {new Date().getFullYear()} {name}
        </span>
        {demo && <span>Demo: the sellers, parts, and prices shown here are fictional.</span>}
      </div>
    </footer>
  )
}
