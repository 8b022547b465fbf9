import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { queryClient } from '#web/api/query-client.ts'
import { onSessionEnded, useSession } from '#web/api/session.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { Footer } from './footer.tsx'
import classes from './shell.module.css'
import { TopNavigation } from './top-navigation.tsx'

/** What stands around every page. */
export function Shell() {
  const main = useRef<HTMLElement>(null)
  useFocusOnNewPage(main)
  const moving = useNavigation().state !== 'idle'

  useFreshStartOfNextPerson()

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

/** What was read for one person is not shown to the next, also where another tab signed in or out. */
function useFreshStartOfNextPerson(): void {
  const id = useSession().user?.id
  const before = useRef(id)
  useEffect(() => {
    if (before.current !== undefined && before.current !== id) void queryClient.resetQueries()
    before.current = id
  }, [id])
}

/** After a change of page the reading goes on at its heading, unless the page put the focus somewhere itself. */
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
