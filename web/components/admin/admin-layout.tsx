import { Badge, Button, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconLayoutSidebar } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import tabs from '#web/components/page/tabs.module.css'
import { useCurrentInSight } from '#web/components/page/tabs.ts'
import { paths } from '#web/paths.ts'
import classes from './admin-layout.module.css'

/** Grids and consoles need the window's width; there the side list waits behind its button. */
const widePages: readonly string[] = [paths.bulkEdit, paths.missionControl, paths.missionControlAlias]

/** What stands around every page of the admin area: the header with its tabs, and the side list. */
export function Component() {
  const { pathname } = useLocation()
  return (
    <>
      <div className={classes.header}>
        <div className={classes.bar}>
          <AdminMenu />
          <AdminTabs />
        </div>
      </div>
      <div
        className={classes.frame}
        data-wide={widePages.includes(pathname.replace(/\/+$/, '')) || undefined}
      >
        <div className={classes.side}>
          <AdminSideList />
        </div>
        <div className={classes.content}>
          <Outlet />
        </div>
      </div>
    </>
  )
}

/** The side list where there is no room for it beside the page; a change of route closes it. */
function AdminMenu() {
  const [opened, { open, close }] = useDisclosure(false)
  const { key } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is read by nobody; its change is the signal
  useEffect(close, [key])

  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        className={classes.menuButton}
        leftSection={<IconLayoutSidebar size={18} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={open}
      >
        Menu
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        size="min(20rem, 85vw)"
        title="Admin menu"
        closeButtonProps={{ 'aria-label': 'Close admin menu', size: 'lg' }}
      >
        <AdminSideList />
      </Drawer>
    </>
  )
}

function AdminSideList() {
  return (
    <nav aria-label="Admin menu" className={classes.list}>
      <Ways ways={adminSideList} />
      <Ways ways={adminRecords} />
    </nav>
  )
}

function Ways({ ways }: { ways: readonly AdminWay[] }) {
  const { pathname } = useLocation()
  return (
    <ul>
      {ways.map((way) => (
        <li key={way.label}>
          <Link
            to={way.to}
            className={classes.way}
            aria-current={isCurrentWay(way, pathname) ? 'page' : undefined}
          >
            <span>{way.label}</span>
            {way.note !== undefined && (
              <Badge color="gray" size="sm" aria-hidden>
                {way.note}
              </Badge>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function AdminTabs() {
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

/** A way of the admin area. */
type AdminWay = {
  label: string
  to: string
  /** The address is also the beginning of others, which are not this way's own. */
  exact?: boolean
  /** Beginnings of addresses that belong to it besides. */
  also?: readonly string[]
  note?: string
}

/** A listing is edited below the list of all. */
const products = {
  to: paths.manageProducts,
  exact: true,
  also: [`${paths.manageProducts}/auto-parts/`, `${paths.manageProducts}/product-update/`],
}

/** Whether the page at `pathname` is this way's, or below it. */
export function isCurrentWay({ to, exact = false, also = [] }: AdminWay, pathname: string): boolean {
  const path = pathname.replace(/\/+$/, '')
  if (path === to || also.some((beginning) => path.startsWith(beginning))) return true
  return !exact && path.startsWith(`${to}/`)
}

/** The header's tabs, in the spec's words and order. */
export const adminTabs: readonly AdminWay[] = [
  { label: 'Manage Products', ...products },
  { label: 'Bulk Edit', to: paths.bulkEdit },
  { label: 'Manage Cat(s)', to: paths.manageCategories },
  { label: 'Manage Manu(s)', to: paths.manageManufacturers },
  { label: 'Manage Models', to: paths.manageCarModels },
  { label: 'Users', to: paths.manageUsers },
  { label: 'Admin', to: paths.adminDashboard, exact: true },
  { label: 'Seller Free', to: paths.sellerFreeDebug },
  { label: 'Seller Pro', to: paths.sellerProDebug },
]

/** The side list, in the spec's words and order; a product is created where every listing is. */
const adminSideList: readonly AdminWay[] = [
  { label: 'Create Categories', to: paths.manageCategories },
  { label: 'Create Products', to: paths.createListing },
  { label: 'Manage Manu(s)', to: paths.manageManufacturers },
  { label: 'Manage Car Models', to: paths.manageCarModels },
  { label: 'Manage Orders', to: paths.manageOrders, note: 'Soon' },
  { label: 'Manage Listings', ...products },
  { label: 'Admin Account Settings', to: paths.accountSettings },
  { label: 'Mission Control', to: paths.missionControl, also: [paths.missionControlAlias] },
]

/** What we have beyond the spec. */
const adminRecords: readonly AdminWay[] = [
  { label: 'Bulk Saves', to: paths.bulkSaves },
  { label: 'Audit Log', to: paths.auditLog },
]
