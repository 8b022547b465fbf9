import { type RouteObject, redirect } from 'react-router'
import { loadScreen } from './load-screen.ts'
import { paths } from './paths.ts'

/*
 * Pages with Mantine and TanStack Query: sign-in, onboarding, the dashboards. They are one area of the router, whose layout
 * loads both libraries (web/app-area.tsx). The server knows only their paths and sends an empty page for them; the server
 * build leaves out their screens (vite.config.ts).
 */

type Screen = { Component: React.ComponentType }

/** A page: its path and the lazy import of its screen. */
function page(path: string, load: () => Promise<Screen>): RouteObject {
  return { path, lazy: () => loadScreen(load) }
}

/** A path that was replaced by another; keeps the query. */
function redirectTo(path: string, to: string): RouteObject {
  return { path, loader: ({ request }) => redirect(to + new URL(request.url).search) }
}

const beingBuilt = () => import('#web/screens/being-built/being-built-screen.tsx')

const emailedLink = () => import('#web/screens/emailed-link/emailed-link-screen.tsx')

const openPages: RouteObject[] = [
  page(paths.login, () => import('#web/screens/login/login-screen.tsx')),
  page(paths.register, () => import('#web/screens/register/register-screen.tsx')),
  redirectTo(paths.signup, paths.register),
  page(paths.forgotPassword, () => import('#web/screens/forgot-password/forgot-password-screen.tsx')),
  page(paths.resetPassword, emailedLink),
  page(paths.signInLink, () => import('#web/screens/sign-in-link/sign-in-link-screen.tsx')),
  page(paths.confirmEmail, emailedLink),
  page(paths.restoreEmail, emailedLink),
  page(paths.confirmMessage, emailedLink),
  page(paths.confirmSearch, emailedLink),
  page(paths.confirmReport, emailedLink),
  page(paths.savedSearches, () => import('#web/screens/saved-searches/saved-searches-screen.tsx')),
  page(paths.unsubscribe, emailedLink),
  page(paths.onboarding, () => import('#web/screens/onboarding/onboarding-screen.tsx')),
  page(paths.paymentCancelled, () => import('#web/screens/stripe/cancel/cancel-screen.tsx')),
]

const userPages: RouteObject[] = [
  page(paths.paymentDone, () => import('#web/screens/stripe/callback/callback-screen.tsx')),
  page(paths.payoutLinkExpired, () => import('#web/screens/stripe/refresh/refresh-screen.tsx')),
  page(paths.account, () => import('#web/screens/account/account-screen.tsx')),
  page(paths.ownOrder(':id'), () => import('#web/screens/account/orders/own-order-screen.tsx')),
  redirectTo(paths.dashboard, paths.userDashboard),
  page(paths.userDashboard, () => import('#web/screens/dashboard/user/user-dashboard-screen.tsx')),
]

const sellerPages: RouteObject[] = [
  page(paths.sellerDashboard, () => import('#web/screens/dashboard/seller/seller-dashboard-screen.tsx')),
  page(
    paths.createListing,
    () => import('#web/screens/dashboard/seller/create-listing/create-listing-screen.tsx'),
  ),
  page(
    paths.createAutoPartListing,
    () =>
      import('#web/screens/dashboard/seller/create-auto-part-listing/create-auto-part-listing-screen.tsx'),
  ),
  page(
    paths.createDataTableListing,
    () =>
      import('#web/screens/dashboard/seller/create-data-table-listing/create-data-table-listing-screen.tsx'),
  ),
  page(
    paths.myListings,
    () => import('#web/screens/dashboard/seller/my-quick-listings/my-quick-listings-screen.tsx'),
  ),
  page(paths.addPictures, () => import('#web/screens/dashboard/seller/add-pictures/add-pictures-screen.tsx')),
  page(
    '/dashboard/seller/products/auto-parts/:slug/edit',
    () => import('#web/screens/dashboard/seller/products/auto-parts/edit/edit-listing-screen.tsx'),
  ),
  page(
    paths.createBulkListing,
    () =>
      import(
        '#web/screens/dashboard/seller/create-bulk-auto-part-listing/create-bulk-auto-part-listing-screen.tsx'
      ),
  ),
  redirectTo(paths.imports, paths.createBulkListing),
  page(
    paths.importRun(':id'),
    () => import('#web/screens/dashboard/seller/imports/import/import-screen.tsx'),
  ),
  page(
    paths.accountSettings,
    () => import('#web/screens/dashboard/seller/account-settings/account-settings-screen.tsx'),
  ),
  page(paths.yard, () => import('#web/screens/dashboard/seller/yard/yard-screen.tsx')),
  page(paths.leads, () => import('#web/screens/dashboard/seller/leads/leads-screen.tsx')),
  page(paths.sellerOrders, () => import('#web/screens/dashboard/seller/orders/orders-screen.tsx')),
  page(paths.pullList, () => import('#web/screens/dashboard/seller/orders/pull-list/pull-list-screen.tsx')),
  page(
    paths.shipByFile,
    () => import('#web/screens/dashboard/seller/orders/ship-by-file/ship-by-file-screen.tsx'),
  ),
  page(paths.payouts, () => import('#web/screens/dashboard/seller/payouts/payouts-screen.tsx')),
  page(
    paths.statements,
    () => import('#web/screens/dashboard/seller/orders/statements/statements-screen.tsx'),
  ),
  page(paths.sellerOrder(':id'), () => import('#web/screens/dashboard/seller/orders/order/order-screen.tsx')),
  page(paths.interchange, () => import('#web/screens/dashboard/seller/interchange/interchange-screen.tsx')),
  page(paths.wanted, () => import('#web/screens/dashboard/seller/wanted/wanted-screen.tsx')),
  page(paths.analytics, () => import('#web/screens/dashboard/seller/analytics/analytics-screen.tsx')),
  page(paths.searchEngineAdvertising, beingBuilt),
  page(
    paths.customerReviews,
    () => import('#web/screens/dashboard/seller/customer-reviews/customer-reviews-screen.tsx'),
  ),
  page(paths.marketingAutomation, beingBuilt),
]

const manageListing = () =>
  import('#web/screens/dashboard/admin/manage-products/auto-parts/edit/edit-any-listing-screen.tsx')

const missionControl = () => import('#web/screens/dashboard/admin/mission-control/mission-control-screen.tsx')

const adminPages: RouteObject[] = [
  page(paths.adminDashboard, () => import('#web/screens/dashboard/admin/admin-dashboard-screen.tsx')),
  page(
    paths.manageProducts,
    () => import('#web/screens/dashboard/admin/manage-products/manage-products-screen.tsx'),
  ),
  page(
    paths.bulkEdit,
    () => import('#web/screens/dashboard/admin/manage-products/bulk-edit/bulk-edit-screen.tsx'),
  ),
  page('/dashboard/admin/manage-products/auto-parts/:slug/edit', manageListing),
  page('/dashboard/admin/manage-products/product-update/auto-parts/:slug', manageListing),
  page(
    paths.manageCategories,
    () => import('#web/screens/dashboard/admin/manage-categories/manage-categories-screen.tsx'),
  ),
  page(
    paths.manageManufacturers,
    () => import('#web/screens/dashboard/admin/manage-manufacturers/manage-manufacturers-screen.tsx'),
  ),
  page(
    paths.manageCarModels,
    () => import('#web/screens/dashboard/admin/manage-car-models/manage-car-models-screen.tsx'),
  ),
  page(paths.manageUsers, () => import('#web/screens/dashboard/admin/users/users-screen.tsx')),
  page(paths.reports, () => import('#web/screens/dashboard/admin/reports/reports-screen.tsx')),
  page(paths.operations, () => import('#web/screens/dashboard/admin/operations/operations-screen.tsx')),
  page(paths.searchWords, () => import('#web/screens/dashboard/admin/search-words/search-words-screen.tsx')),
  page(paths.bulkSaves, () => import('#web/screens/dashboard/admin/bulk-saves/bulk-saves-screen.tsx')),
  page(paths.auditLog, () => import('#web/screens/dashboard/admin/audit-log/audit-log-screen.tsx')),
  page(
    paths.sellerFreeDebug,
    () => import('#web/screens/dashboard/admin/seller-free-debug/seller-free-debug-screen.tsx'),
  ),
  page(
    paths.sellerProDebug,
    () => import('#web/screens/dashboard/admin/seller-pro-debug/seller-pro-debug-screen.tsx'),
  ),
  page(paths.manageOrders, () => import('#web/screens/dashboard/admin/orders/orders-screen.tsx')),
  page(paths.books, () => import('#web/screens/dashboard/admin/orders/books/books-screen.tsx')),
  page(paths.manageOrder(':id'), () => import('#web/screens/dashboard/admin/orders/order/order-screen.tsx')),
  // The address while orders were "Coming soon".
  redirectTo('/dashboard/admin/manage-orders', paths.manageOrders),
  page(paths.missionControl, missionControl),
  page(paths.missionControlAlias, missionControl),
  redirectTo('/dashboard/admin/product', paths.manageProducts),
  redirectTo('/dashboard/admin/products', paths.manageProducts),
  redirectTo('/dashboard/admin/account-settings', paths.accountSettings),
]

const adminArea: RouteObject = {
  lazy: () => loadScreen(() => import('#web/components/admin/admin-layout.tsx')),
  children: adminPages,
}

const sellerArea: RouteObject = {
  lazy: () => loadScreen(() => import('#web/components/seller/seller-layout.tsx')),
  children: sellerPages,
}

const guarded = (guard: 'UserGuard' | 'AdminGuard', children: RouteObject[]): RouteObject => ({
  lazy: async () => ({
    Component: (await loadScreen(() => import('#web/components/guard.tsx')))[guard],
  }),
  children,
})

export const appArea: RouteObject = {
  handle: { isApp: true },
  lazy: () => loadScreen(() => import('./app-area.tsx')),
  children: [
    {
      lazy: async () => ({
        ErrorBoundary: (await loadScreen(() => import('#web/components/page/application-error.tsx')))
          .ApplicationError,
      }),
      children: [
        ...openPages,
        guarded('UserGuard', [...userPages, sellerArea]),
        guarded('AdminGuard', [adminArea]),
      ],
    },
  ],
}
