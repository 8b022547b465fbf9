import { Drawer, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2, IconMoon, IconSun } from '@tabler/icons-react'
import { useCallback, useEffect } from 'react'
import { Link, NavLink, useLocation, useNavigate } from 'react-router'
import { signOut } from '#web/api/account.ts'
import { useSession } from '#web/api/session.ts'
import { useProductName, useSite } from '#web/api/site.ts'
import mark from '#web/artwork/mark.svg?raw'
import { Drawing } from '#web/components/page/empty-state.tsx'
import { notifyInfo } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import classes from './shell.module.css'

export function TopNavigation() {
  const signedIn = useSession().token !== undefined
  const { left, right } = navigationItems(signedIn, useSite().data?.findPartsUrl)
  const logOut = useLogOut()
  return (
    <header className={`ink ${classes.header}`}>
      <div className={classes.bar}>
        <Brand />
        <nav className={classes.wide} aria-label="Main">
          <NavigationLinks items={left} className={classes.items} itemClass={classes.item} />
          <NavigationLinks
            items={right}
            className={classes.items}
            itemClass={classes.item}
            prominentClass={classes.prominent}
            onLogOut={signedIn ? logOut : undefined}
          />
        </nav>
        <SchemeToggle />
        <MobileMenu items={[...left, ...right]} onLogOut={signedIn ? logOut : undefined} />
      </div>
    </header>
  )
}

/** The logo and product name, linked to the home page. */
export function Brand() {
  const name = useProductName()
  return (
    <Link to={paths.home} className={classes.brand}>
      <Drawing svg={mark} className={classes.mark} />
      <span className="display">{name}</span>
    </Link>
  )
}

function NavigationLink({ item, className }: { item: NavigationItem; className: string | undefined }) {
  if (item.outside) {
    return (
      <a href={item.to} className={className} rel="noopener">
        {item.label}
      </a>
    )
  }
  // "/" is a prefix of every path, so Home is only current on an exact match.
  return (
    <NavLink
      to={item.to}
      end={item.to === paths.home}
      className={className ?? ''}
      data-prominent={item.prominent}
    >
      {item.label}
    </NavLink>
  )
}

type NavigationLinksProps = {
  items: NavigationItem[]
  className: string | undefined
  itemClass: string | undefined
  prominentClass?: string | undefined
  onLogOut?: (() => Promise<void>) | undefined
}

function NavigationLinks(props: NavigationLinksProps) {
  const { items, className, itemClass, prominentClass = itemClass, onLogOut } = props
  return (
    <ul className={className}>
      {items.map((item) => (
        <li key={item.label}>
          <NavigationLink item={item} className={item.prominent ? prominentClass : itemClass} />
        </li>
      ))}
      {onLogOut && (
        <li>
          <button type="button" className={itemClass} onClick={() => void onLogOut()}>
            Logout
          </button>
        </li>
      )}
    </ul>
  )
}

function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const other = scheme === 'dark' ? 'light' : 'dark'
  const Icon = other === 'dark' ? IconMoon : IconSun
  return (
    <button
      type="button"
      className={classes.iconButton}
      onClick={() => setColorScheme(other)}
      aria-label={`Switch to ${other} colors`}
    >
      <Icon size={20} stroke={1.6} aria-hidden />
    </button>
  )
}

type MobileMenuProps = { items: NavigationItem[]; onLogOut: (() => Promise<void>) | undefined }

/** The menu in narrow windows. A route change closes it; the drawer handles Escape, outside clicks, and focus. */
function MobileMenu({ items, onLogOut }: MobileMenuProps) {
  const [opened, { open, close }] = useDisclosure(false)
  const { key } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the change of the key matters
  useEffect(close, [key])

  return (
    <>
      <button
        type="button"
        className={classes.menuButton}
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={open}
      >
        <IconMenu2 size={22} stroke={1.6} aria-hidden />
      </button>
      <Drawer
        opened={opened}
        onClose={close}
        position="right"
        size="min(20rem, 85vw)"
        title="Menu"
        closeButtonProps={{ 'aria-label': 'Close menu', size: 'lg' }}
      >
        <nav aria-label="Main">
          <NavigationLinks
            items={items}
            className={classes.flyout}
            itemClass={classes.flyoutItem}
            onLogOut={onLogOut}
          />
        </nav>
      </Drawer>
    </>
  )
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
    notifyInfo('Signed out')
    await signOut()
  }, [navigate])
}

/** `outside` links leave the app. */
type NavigationItem = { label: string; to: string; outside?: boolean; prominent?: boolean }
type Navigation = { left: NavigationItem[]; right: NavigationItem[] }

/** The spec's navigation links (section 2). Logout is not one of them: it is a button. */
export function navigationItems(signedIn: boolean, findPartsUrl: string | null | undefined): Navigation {
  if (signedIn) {
    return {
      left: [
        { label: 'My Dashboard', to: paths.userDashboard },
        { label: 'Analytics & Sales', to: paths.analytics },
        { label: 'Technical Support', to: paths.support },
        { label: 'How To Support Articles', to: paths.help },
      ],
      right: [],
    }
  }
  const findParts = findPartsUrl ? { to: findPartsUrl, outside: true } : { to: paths.parts }
  return {
    left: [
      { label: 'Home', to: paths.home },
      { label: 'Find Auto Parts', ...findParts },
    ],
    right: [
      { label: 'Login To Your Account', to: paths.login },
      { label: 'Register Become a Dealer', to: paths.register, prominent: true },
    ],
  }
}
