import { Badge, Button, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconLayoutSidebar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useEffect } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import { reportEndpoints } from '#contract/reports.ts'
import { call } from '#web/api/client.ts'
import { useOrdersOn } from '#web/components/orders/order-counts.tsx'
import tabs from '#web/components/page/tabs.module.css'
import { useScrollToCurrent } from '#web/components/page/tabs.ts'
import { paths } from '#web/paths.ts'
import classes from './admin-layout.module.css'

/** Grids and consoles need the full width: there the side menu opens from a button. */
const widePages: readonly string[] = [paths.bulkEdit, paths.missionControl, paths.missionControlAlias]

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
          <SideMenu />
        </div>
        <div className={classes.content}>
          <Outlet />
        </div>
      </div>
    </>
  )
}

/** The side menu as a drawer, if there is no room next to the page; a route change closes it. */
function AdminMenu() {
  const [opened, { open, close }] = useDisclosure(false)
  const { key } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the change of the key matters
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
        Menu <OpenReports />
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        size="min(20rem, 85vw)"
        title="Admin menu"
        closeButtonProps={{ 'aria-label': 'Close admin menu', size: 'lg' }}
      >
        <SideMenu />
      </Drawer>
    </>
  )
}

function SideMenu() {
  return (
    <nav aria-label="Admin menu" className={classes.list}>
      <MenuLinks links={sideMenu} />
      <MenuLinks links={recordLinks} />
    </nav>
  )
}

function MenuLinks({ links }: { links: readonly AdminRoute[] }) {
  const { pathname } = useLocation()
  return (
    <ul>
      {links.map((link) => (
        <li key={link.label}>
          <Link
            to={link.to}
            className={classes.way}
            aria-current={isCurrentRoute(link, pathname) ? 'page' : undefined}
          >
            <span>{link.label}</span>
            {link.Aside && <link.Aside />}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function AdminTabs() {
  const { pathname } = useLocation()
  const bar = useScrollToCurrent(pathname)
  return (
    <nav ref={bar} className={`${tabs.row} ${classes.tabs}`} aria-label="Admin">
      {adminTabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          className={tabs.tab}
          aria-current={isCurrentRoute(tab, pathname) ? 'page' : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}

type AdminRoute = {
  label: string
  to: string
  /** Paths below `to` belong to other routes. */
  exact?: boolean
  /** Other path prefixes that belong to this route. */
  also?: readonly string[]
  Aside?: ComponentType
}

const products = {
  to: paths.manageProducts,
  exact: true,
  also: [`${paths.manageProducts}/auto-parts/`, `${paths.manageProducts}/product-update/`],
}

export function isCurrentRoute({ to, exact = false, also = [] }: AdminRoute, pathname: string): boolean {
  const path = pathname.replace(/\/+$/, '')
  if (path === to || also.some((prefix) => path.startsWith(prefix))) return true
  return !exact && path.startsWith(`${to}/`)
}

/** The header's tabs, in the spec's words and order. */
export const adminTabs: readonly AdminRoute[] = [
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

/** The side menu, in the spec's words and order. Products are created like any listing. */
const sideMenu: readonly AdminRoute[] = [
  { label: 'Create Categories', to: paths.manageCategories },
  { label: 'Create Products', to: paths.createListing },
  { label: 'Manage Manu(s)', to: paths.manageManufacturers },
  { label: 'Manage Car Models', to: paths.manageCarModels },
  { label: 'Manage Orders', to: paths.manageOrders, Aside: OrdersNote },
  { label: 'Manage Listings', ...products },
  { label: 'Admin Account Settings', to: paths.accountSettings },
  { label: 'Mission Control', to: paths.missionControl, also: [paths.missionControlAlias] },
]

/** How many orders need attention, or that there are none yet. */
function OrdersNote() {
  const isOn = useOrdersOn()
  const { data: attention = 0 } = useQuery({
    queryKey: ['orders', 'admin', 'attention'],
    queryFn: async ({ signal }) =>
      (await call(orderEndpoints.listAllOrders, { query: { perPage: 1 }, signal })).counts.attention,
    enabled: isOn,
    // Polls, because the page may stay open for hours.
    refetchInterval: 60_000,
  })
  if (!isOn) {
    return (
      <Badge color="gray" size="sm" aria-hidden>
        Soon
      </Badge>
    )
  }
  return attention > 0 ? <Badge size="md">{attention.toLocaleString('en-US')} to check</Badge> : null
}

/** "3 open" next to the link to the reports; nothing if all of them are decided. */
function OpenReports() {
  const { data: open = 0 } = useQuery({
    queryKey: ['reports', 'open'],
    queryFn: async ({ signal }) =>
      (await call(reportEndpoints.listReports, { query: { perPage: 1 }, signal })).open,
    // Polls, because the page may stay open for hours.
    refetchInterval: 60_000,
  })
  return open > 0 ? <Badge size="md">{open.toLocaleString('en-US')} open</Badge> : null
}

/** Pages beyond the spec. */
const recordLinks: readonly AdminRoute[] = [
  { label: 'Operations', to: paths.operations },
  { label: 'Reports', to: paths.reports, Aside: OpenReports },
  { label: 'Search Words', to: paths.searchWords },
  { label: 'Bulk Saves', to: paths.bulkSaves },
  { label: 'Audit Log', to: paths.auditLog },
]
