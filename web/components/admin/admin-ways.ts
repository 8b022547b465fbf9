import { paths } from '#web/paths.ts'

/** A way of the admin area. */
export type AdminWay = {
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
export const adminSideList: readonly AdminWay[] = [
  { label: 'Create Categories', to: paths.manageCategories },
  { label: 'Create Products', to: paths.createListing },
  { label: 'Manage Manu(s)', to: paths.manageManufacturers },
  { label: 'Manage Car Models', to: paths.manageCarModels },
  { label: 'Manage Orders', to: paths.manageOrders, note: 'Soon' },
  { label: 'Manage Listings', ...products },
  { label: 'Admin Account Settings', to: paths.accountSettings },
  { label: 'Mission Control', to: paths.missionControl, also: [paths.missionControlToo] },
]

/** What we have beyond the spec. */
export const adminRecords: readonly AdminWay[] = [
  { label: 'Bulk Saves', to: paths.bulkSaves },
  { label: 'Audit Log', to: paths.auditLog },
]
