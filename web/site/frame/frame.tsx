import { type RefObject, useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation, useRevalidator } from 'react-router'
import { onSessionEnded, useSession } from '#web/api/session.ts'
import { type BuyerToolSet, BuyerTools } from '#web/site/buyer-tool.tsx'
import { Footer } from './footer.tsx'
import classes from './frame.module.css'
import { Header } from './header.tsx'
import { Messages, showMessage } from './messages.tsx'

/** The frame of every page: header, content, footer. */
export function Frame() {
  const main = useRef<HTMLElement>(null)
  useFocusOnNewPage(main)
  useDataOfUser()
  const tools = useBuyerTools()
  const moving = useNavigation().state !== 'idle'

  useEffect(() => onSessionEnded(() => showMessage('Your session has ended. Please log in again.')), [])
  // Tells public/first.js to replay early actions.
  useEffect(() => void dispatchEvent(new Event('ready')), [])

  return (
    <BuyerTools value={tools}>
      <div className={classes.frame}>
        <a href="#main" className={classes.skip}>
          Skip to the content
        </a>
        {moving && <div className={classes.progress} role="progressbar" aria-label="Loading page" />}
        <Header />
        <main id="main" ref={main} tabIndex={-1} className={classes.main} aria-busy={moving}>
          <Outlet />
        </main>
        <Footer />
        <Messages />
        <ScrollRestoration />
      </div>
      {tools.Everywhere && <tools.Everywhere />}
    </BuyerTools>
  )
}

/** The visitor moves the mouse, touches the screen, presses a key, or moves a screen reader. */
const activity = ['pointerover', 'keydown', 'focusin']

/**
 * The buyer tools load when the browser is idle or a visitor first does something. Without a connection, pages stay as they
 * arrived until the next kind of activity.
 */
function useBuyerTools(): Partial<BuyerToolSet> {
  const [tools, setTools] = useState<Partial<BuyerToolSet>>({})
  useEffect(() => {
    const load = async (event?: unknown) => {
      // Not `import().then(…, …)`: as bundled, that does not catch a missing stylesheet.
      try {
        const { showTools } = await import('#web/site/garage/part-buttons.tsx')
        await showTools(setTools, event instanceof Event)
      } catch {}
    }
    for (const event of activity) addEventListener(event, load, { once: true })
    // Safari has no idle callback.
    const whenIdle = globalThis.requestIdleCallback ?? setTimeout
    whenIdle(load)
  }, [])
  return tools
}

/** The server's page is the same for everyone. Signed-in users see more, such as the edit link of their own part. */
function useDataOfUser(): void {
  const { token } = useSession()
  const { revalidate } = useRevalidator()
  const loadedFor = useRef<string>(undefined)
  useEffect(() => {
    if (loadedFor.current === token) return
    loadedFor.current = token
    void revalidate()
  }, [token, revalidate])
}

/** Focuses the heading of a new page for screen readers, unless the page set the focus itself. */
function useFocusOnNewPage(main: RefObject<HTMLElement | null>): void {
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
