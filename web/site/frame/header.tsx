import { IconMenu2, IconMoon, IconSun, IconX } from '@tabler/icons-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  memo,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isDeskPath } from '#contract/pages/site-paths.ts'
import { useSession } from '#web/api/session.ts'
import mark from '#web/artwork/mark.svg?raw'
import { paths } from '#web/paths.ts'
import { BuyerTool } from '#web/site/buyer-tool.tsx'
import { useSiteFacts } from '#web/site/head.tsx'
import { Link } from '#web/site/link.tsx'
import { Drawing } from '#web/site/page.tsx'
import { PlainRow, useSuggesting } from '#web/site/plain-search.tsx'
import { chooseScheme, useColorScheme } from './color-scheme.ts'
import classes from './header.module.css'
import { showMessage } from './messages.tsx'

/**
 * Logo, search and links. The server sends what a signed-out visitor sees; who is signed in is known after hydration.
 * While a page loads, the frame renders several times, which this need not.
 */
export const Header = memo(() => {
  const signedIn = useSession().token !== undefined
  const { findPartsUrl, orders } = useSiteFacts()
  const items = navigationItems(signedIn, findPartsUrl)
  const buys = signedIn && orders
  const { pathname } = useLocation()
  const logOut = useLogOut()
  const links = { items, onLogOut: signedIn ? logOut : undefined }
  return (
    <header className={`ink ${classes.header}`}>
      <div className={classes.bar} data-search={hasSearch(pathname) || undefined}>
        <Brand />
        {hasSearch(pathname) && <Search />}
        <nav className={classes.wide} aria-label="Main">
          <NavigationLinks {...links} className={classes.items} />
        </nav>
        <BuyerTool name="OrdersLink" className={classes.orders} />
        <HeaderLink to={paths.garage} className={`${classes.item} ${classes.garage}`}>
          Garage
          <BuyerTool name="SavedCount" className={classes.saved} />
        </HeaderLink>
        <SchemeToggle />
        <PhoneMenu {...links} items={buys ? [...items, { label: 'My Orders', to: paths.account }] : items} />
      </div>
    </header>
  )
})

/** Home and the list have a larger search box of their own. */
const hasSearch = (pathname: string): boolean =>
  pathname !== paths.home && pathname !== paths.parts && !isDeskPath(pathname)

/** The logo and product name, linked to the home page. */
export function Brand() {
  const { productName: name } = useSiteFacts()
  return (
    <Link to={paths.home} className={classes.brand}>
      <Drawing svg={mark} className={classes.mark} />
      <span className="display">{name}</span>
    </Link>
  )
}

type LinksProps = { items: NavigationItem[]; onLogOut: (() => Promise<void>) | undefined }

function NavigationLinks({ items, onLogOut, className }: LinksProps & { className: string | undefined }) {
  return (
    <ul className={className}>
      {items.map((item) => (
        <li key={item.label}>
          <NavigationLink item={item} />
        </li>
      ))}
      {onLogOut && (
        <li>
          <button type="button" className={classes.item} onClick={() => void onLogOut()}>
            Logout
          </button>
        </li>
      )}
    </ul>
  )
}

function NavigationLink({ item: { label, to, outside, prominent } }: { item: NavigationItem }) {
  const className = prominent ? classes.prominent : classes.item
  if (outside) {
    return (
      <a href={to} className={className} rel="noopener">
        {label}
      </a>
    )
  }
  return (
    <HeaderLink to={to} className={className}>
      {label}
    </HeaderLink>
  )
}

/** Marked on its own page and on those below it, like the router’s own link, which is slow on the server (link.tsx). */
function HeaderLink({ to, ...link }: ComponentProps<typeof Link>) {
  const { pathname } = useLocation()
  // Every path starts with "/".
  const isCurrent = pathname === to || (to !== paths.home && pathname.startsWith(`${to}/`))
  return <Link to={to} {...link} {...(isCurrent && { 'aria-current': 'page' })} />
}

function SchemeToggle() {
  const scheme = useColorScheme()
  const other = scheme === 'dark' ? 'light' : 'dark'
  const Icon = other === 'dark' ? IconMoon : IconSun
  return (
    <button
      type="button"
      className={classes.iconButton}
      onClick={() => chooseScheme(other)}
      aria-label={`Switch to ${other} mode`}
    >
      <Icon size={20} stroke={1.6} aria-hidden />
    </button>
  )
}

/** The links in narrow windows, as a dialog: the browser handles Escape and makes the rest of the page inert. */
function PhoneMenu(links: LinksProps) {
  const [opened, setOpened] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const [id, titleId] = [useId(), useId()]
  const { key } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: every new page closes the menu
  useEffect(() => dialog.current?.close(), [key])

  return (
    <>
      <button
        type="button"
        className={classes.menuButton}
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={opened}
        // Browsers that support these open the menu even without script.
        {...{ command: 'show-modal', commandfor: id }}
        onClick={() => {
          if (!dialog.current?.open) dialog.current?.showModal()
          setOpened(true)
        }}
      >
        <IconMenu2 size={22} stroke={1.6} aria-hidden />
      </button>
      <dialog
        id={id}
        ref={dialog}
        className={classes.menu}
        aria-labelledby={titleId}
        onClose={() => setOpened(false)}
        // Only a click on the backdrop has the dialog itself as its target.
        onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
        onKeyDown={keepFocusInside}
      >
        <div className={classes.menuInner}>
          <div className={classes.menuHead}>
            <p id={titleId} className="display">
              Menu
            </p>
            <button
              type="button"
              className={classes.iconButton}
              aria-label="Close menu"
              {...{ command: 'close', commandfor: id }}
              onClick={() => dialog.current?.close()}
            >
              <IconX size={22} stroke={1.6} aria-hidden />
            </button>
          </div>
          <nav aria-label="Main">
            <NavigationLinks {...links} className={classes.menuItems} />
          </nav>
        </div>
      </dialog>
    </>
  )
}

/** A modal dialog lets Tab reach the browser's own controls; the spec wants the focus to stay in the menu. */
function keepFocusInside(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== 'Tab') return
  const stops = event.currentTarget.querySelectorAll<HTMLElement>('a[href], button')
  const [first, last] = [stops[0], stops[stops.length - 1]]
  const [edge, other] = event.shiftKey ? [first, last] : [last, first]
  if (document.activeElement !== edge) return
  event.preventDefault()
  other?.focus()
}

/** The home page may never load; signing out must not wait for it. */
const waitForHomeMs = 1500

/**
 * Goes to the home page first, so that the page's guard does not start its countdown. If unsaved changes keep the user on
 * the page, they stay signed in. If the home page cannot be loaded, the session ends anyway.
 */
function useLogOut(): () => Promise<void> {
  const navigate = useNavigate()
  return useCallback(async () => {
    const settled = Promise.resolve(navigate(paths.home)).then(() => true)
    const late = new Promise<false>((resolve) => setTimeout(resolve, waitForHomeMs, false))
    const stayed = (await Promise.race([settled, late])) && window.location.pathname !== paths.home
    if (stayed) return
    showMessage('Signed out')
    // Only signed-in users need this code.
    const { signOut } = await import('#web/api/account.ts')
    await signOut()
  }, [navigate])
}

/** `outside` links leave the app. */
type NavigationItem = { label: string; to: string; outside?: boolean; prominent?: boolean }

/** The spec's navigation links. Logout is not one of them: it is a button. */
export function navigationItems(
  signedIn: boolean,
  findPartsUrl: string | null | undefined,
): NavigationItem[] {
  if (signedIn) {
    return [
      { label: 'My Dashboard', to: paths.userDashboard },
      { label: 'Analytics & Sales', to: paths.analytics },
      { label: 'Technical Support', to: paths.support },
      { label: 'How To Support Articles', to: paths.help },
    ]
  }
  return [
    { label: 'Home', to: paths.home },
    {
      label: 'Find Auto Parts',
      ...(findPartsUrl ? { to: findPartsUrl, outside: true } : { to: paths.parts }),
    },
    { label: 'Login To Your Account', to: paths.login },
    { label: 'Register Become a Dealer', to: paths.register, prominent: true },
  ]
}

/** Search from any page. A plain form until it gets the focus, and without script. */
function Search() {
  const { place, box: Box, words, load } = useSuggesting('')
  return (
    <div ref={place} className={classes.search}>
      {Box ? (
        <Box.SearchBox words={words} />
      ) : (
        <search>
          <form action={paths.parts}>
            <PlainRow words="" label="Search parts" placeholder="Part, number or vehicle" load={load} />
          </form>
        </search>
      )}
    </div>
  )
}
