import { helpPath, partPath, sellerPath, sitePaths } from '#contract/pages/site-paths.ts'

/** Every URL of the web app; those of landing pages are in contract/pages/landing-addresses.ts. All links are built here. */
export const paths = {
  ...sitePaths,
  login: '/login',
  register: '/register',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  signInLink: '/sign-in-link',
  /** Links in emails, with a token in the fragment. */
  confirmEmail: '/confirm-email',
  restoreEmail: '/restore-email',
  confirmMessage: '/confirm-message',
  messages: '/messages',
  confirmSearch: '/confirm-search',
  confirmReport: '/confirm-report',
  unsubscribe: '/unsubscribe',
  onboarding: '/onboarding',

  /** With a link's key in the fragment, or signed in. */
  savedSearches: '/saved-searches',
  /** With the query of the parts list. */
  saveSearch: '/saved-searches/new',

  garage: '/garage',
  part: partPath,
  buy: (slug: string) => `${partPath(slug)}/buy`,
  /** Parts to be bought together, of the yard that was added to last, or of this one. */
  cart: '/cart',
  cartOf: (sellerSlug: string) => `/cart?${new URLSearchParams({ yard: sellerSlug })}`,
  /** A buyer's order: its token is in the fragment, or its id in the query and the token in this browser. */
  orders: '/orders',
  order: (id: string) => `/orders?${new URLSearchParams({ order: id })}`,
  /** What a signed-in person buys. */
  account: '/account',
  ownOrder: (id: string) => `/account/orders/${id}`,
  seller: sellerPath,

  dashboard: '/dashboard',
  userDashboard: '/dashboard/user',
  sellerDashboard: '/dashboard/seller',
  createListing: '/dashboard/seller/create-listing',
  createAutoPartListing: '/dashboard/seller/create-auto-part-listing',
  createDataTableListing: '/dashboard/seller/create-data-table-listing',
  createBulkListing: '/dashboard/seller/create-bulk-auto-part-listing',
  imports: '/dashboard/seller/imports',
  importRun: (id: string) => `/dashboard/seller/imports/${id}`,
  myListings: '/dashboard/seller/my-quick-listings',
  addPictures: '/dashboard/seller/add-pictures',
  editListing: (slug: string) => `/dashboard/seller/products/auto-parts/${encodeURIComponent(slug)}/edit`,
  leads: '/dashboard/seller/leads',
  sellerOrders: '/dashboard/seller/orders',
  statements: '/dashboard/seller/orders/statements',
  sellerOrder: (id: string) => `/dashboard/seller/orders/${id}`,
  pullList: '/dashboard/seller/orders/pull-list',
  shipByFile: '/dashboard/seller/orders/ship-by-file',
  payouts: '/dashboard/seller/payouts',
  wanted: '/dashboard/seller/wanted',
  interchange: '/dashboard/seller/interchange',
  accountSettings: '/dashboard/seller/account-settings',
  yard: '/dashboard/seller/yard',
  searchEngineAdvertising: '/dashboard/seller/search-engine-advertising',
  customerReviews: '/dashboard/seller/customer-reviews',
  analytics: '/dashboard/seller/analytics',
  marketingAutomation: '/dashboard/seller/marketing-automation',

  paymentDone: '/stripe/callback',
  paymentCancelled: '/stripe/cancel',
  /** Where the payment provider sends a user whose payout onboarding link has expired. */
  payoutLinkExpired: '/stripe/refresh',

  adminDashboard: '/dashboard/admin',
  manageProducts: '/dashboard/admin/manage-products',
  bulkEdit: '/dashboard/admin/manage-products/bulk-edit',
  manageListing: (slug: string) =>
    `/dashboard/admin/manage-products/auto-parts/${encodeURIComponent(slug)}/edit`,
  manageCategories: '/dashboard/admin/manage-categories',
  manageManufacturers: '/dashboard/admin/manage-manufacturers',
  manageCarModels: '/dashboard/admin/manage-car-models',
  manageOrders: '/dashboard/admin/orders',
  manageOrder: (id: string) => `/dashboard/admin/orders/${id}`,
  books: '/dashboard/admin/orders/books',
  reports: '/dashboard/admin/reports',
  operations: '/dashboard/admin/operations',
  searchWords: '/dashboard/admin/search-words',
  manageUsers: '/dashboard/admin/users',
  bulkSaves: '/dashboard/admin/bulk-saves',
  auditLog: '/dashboard/admin/audit-log',
  sellerFreeDebug: '/dashboard/admin/seller-free-debug',
  sellerProDebug: '/dashboard/admin/seller-pro-debug',
  missionControl: '/dashboard/admin/mission-control',
  /** The same screen; the spec has both paths. */
  missionControlAlias: '/admin/mission-control',

  helpArticle: helpPath,
  careers: '/careers',
  press: '/press',

  /** Served by the server in demo mode: email that was not sent. */
  outbox: '/dev/outbox',
} as const

/** Search results on the public parts list. */
export function partsSearch(words: string): string {
  return `${paths.parts}?${new URLSearchParams({ q: words })}`
}

/** The login page, which returns to `from` (a path with its query). */
export function loginFrom(from: string): string {
  return `${paths.login}?${new URLSearchParams({ from })}`
}

/** Where a person starts after signing in. */
export const dashboardOf = ({ role }: { role: number }): string =>
  role === 1 ? paths.adminDashboard : paths.userDashboard

/** The id of the card for selling online in Account settings. */
export const sellingCard = 'selling'

/** Where to switch on selling online. */
export const sellingSettings = `${paths.accountSettings}#${sellingCard}`

/** The id of the card for two-step sign-in in Account settings. */
export const twoStepCard = 'two-step'

/** Where to turn on two-step sign-in, to return to `from` afterwards. */
export function twoStepFrom(from: string): string {
  return `${paths.accountSettings}?${new URLSearchParams({ from })}#${twoStepCard}`
}

export type Plan = 'free' | 'pro'

/** Registration with a plan already chosen. */
export function registerFor(plan: Plan): string {
  return `${paths.register}?${new URLSearchParams({ plan })}`
}

/** Registration of a buyer, which leads back to `from` (a path with its query). */
export function registerToBuy(from: string): string {
  return `${paths.register}?${new URLSearchParams({ as: 'buying', from })}`
}

/** The plan chooser with a plan preselected. */
export function onboardingFor(plan: Plan): string {
  return `${paths.onboarding}?${new URLSearchParams({ plan })}`
}

/** The payouts step, which leads back to `from` (a path with its query). */
export function payoutsFrom(from: string): string {
  return `${paths.onboarding}?${new URLSearchParams({ from })}`
}

/** The plan in such a URL's query. */
export function planIn(search: URLSearchParams): Plan {
  return search.get('plan') === 'pro' ? 'pro' : 'free'
}

/**
 * Returns where sign-in may lead: a path of this site with its query. Returns undefined for anything a browser could
 * read as another site (`//evil.example`, `/\evil.example`, `javascript:…`, a tab or line break in between).
 */
export function safeReturnPath(from: string | null | undefined): string | undefined {
  if (!from || hasControlCharacter(from) || !/^\/(?![/\\])/.test(from)) return undefined
  const here = 'https://site.invalid'
  if (!URL.canParse(from, here)) return undefined
  const { origin, pathname, search, hash } = new URL(from, here)
  // Dots are resolved now: `/.//evil.example` has become a path that starts with two slashes.
  if (origin !== here || !/^\/(?![/\\])/.test(pathname)) return undefined
  return pathname + search + hash
}

/** Browsers drop tabs and line breaks from a URL before they parse it. */
function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f')
}
