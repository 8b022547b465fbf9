import { Button, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconExternalLink, IconLayoutSidebar } from '@tabler/icons-react'
import { useEffect } from 'react'
import { NavLink, Outlet, useLocation } from 'react-router'
import type { User } from '#contract/account/accounts.ts'
import { useSession } from '#web/api/session.ts'
import { type MenuItem, NewMessages } from '#web/components/account/menu.tsx'
import { OrdersToDo } from '#web/components/orders/order-counts.tsx'
import { paths } from '#web/paths.ts'
import classes from './seller-layout.module.css'
import { useSellerMenu } from './seller-menu.ts'

/** The import's tables need the full width: there the menu opens from a button. */
const widePages: readonly string[] = [paths.createBulkListing]

/**
 * The seller's pages with the menu next to them, or, without room, with a button that opens it and shows the unread
 * count.
 */
export function Component() {
  const { user } = useSession()
  const { pathname } = useLocation()
  if (!user) return <Outlet />
  const isWide = widePages.includes(pathname.replace(/\/+$/, ''))
  return (
    <div className={classes.frame} data-wide={isWide || undefined}>
      <div className={classes.side}>
        <SideMenu user={user} />
      </div>
      <div className={classes.content}>
        <MenuButton user={user} />
        <Outlet />
      </div>
    </div>
  )
}

function MenuButton({ user }: { user: User }) {
  const [opened, { open, close }] = useDisclosure(false)
  const { key } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the change of the key matters
  useEffect(close, [key])

  return (
    <div className={classes.bar}>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconLayoutSidebar size={18} aria-hidden />}
        rightSection={
          <span className={classes.counts}>
            <NewMessages />
            <OrdersToDo />
          </span>
        }
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={open}
      >
        Seller menu
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        size="min(20rem, 85vw)"
        title="Seller menu"
        closeButtonProps={{ 'aria-label': 'Close seller menu', size: 'lg' }}
      >
        <SideMenu user={user} />
      </Drawer>
    </div>
  )
}

function SideMenu({ user }: { user: User }) {
  const onDashboard = useLocation().pathname.replace(/\/+$/, '') === paths.sellerDashboard
  // Elsewhere the page itself has the button to upgrade or to manage billing, where it belongs.
  const items = useSellerMenu(user).filter((item) => 'to' in item || onDashboard)
  return (
    <nav aria-label="Seller" className={classes.list}>
      <ul>
        {[{ label: 'Seller Dashboard', to: paths.sellerDashboard }, ...items].map((item) => (
          <li key={item.label}>
            <Entry item={item} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Entry({ item }: { item: MenuItem }) {
  if ('to' in item) {
    const { label, to, Aside } = item
    return (
      <NavLink to={to} className={classes.entry ?? ''} end={to === paths.sellerDashboard}>
        <span className={classes.label}>{label}</span>
        {Aside && <Aside />}
      </NavLink>
    )
  }
  return (
    <button type="button" className={classes.entry} onClick={item.run} disabled={item.busy}>
      <span className={classes.label}>{item.label}</span>
      <IconExternalLink size={16} stroke={1.6} aria-hidden />
    </button>
  )
}
