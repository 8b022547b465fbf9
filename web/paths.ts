/** Every address of the web app but those that the server knows as well (contract/landing.ts). Links are made here and nowhere else. */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  onboarding: '/onboarding',

  parts: '/parts',
  part: (slug: string) => `/parts/${encodeURIComponent(slug)}`,

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
  editListing: (slug: string) => `/dashboard/seller/products/auto-parts/${encodeURIComponent(slug)}/edit`,
  leads: '/dashboard/seller/leads',
  accountSettings: '/dashboard/seller/account-settings',
  searchEngineAdvertising: '/dashboard/seller/search-engine-advertising',
  customerReviews: '/dashboard/seller/customer-reviews',
  analytics: '/dashboard/seller/analytics',
  marketingAutomation: '/dashboard/seller/marketing-automation',

  paymentDone: '/stripe/callback',
  paymentCancelled: '/stripe/cancel',
  /** Where the provider sends whoever comes with a link to payout onboarding that is used up. */
  payoutLinkExpired: '/stripe/refresh',

  adminDashboard: '/dashboard/admin',
  manageProducts: '/dashboard/admin/manage-products',
  bulkEdit: '/dashboard/admin/manage-products/bulk-edit',
  manageListing: (slug: string) =>
    `/dashboard/admin/manage-products/auto-parts/${encodeURIComponent(slug)}/edit`,
  manageCategories: '/dashboard/admin/manage-categories',
  manageManufacturers: '/dashboard/admin/manage-manufacturers',
  manageCarModels: '/dashboard/admin/manage-car-models',
  manageOrders: '/dashboard/admin/manage-orders',
  manageUsers: '/dashboard/admin/users',
  bulkSaves: '/dashboard/admin/bulk-saves',
  auditLog: '/dashboard/admin/audit-log',
  sellerFreeDebug: '/dashboard/admin/seller-free-debug',
  sellerProDebug: '/dashboard/admin/seller-pro-debug',
  missionControl: '/dashboard/admin/mission-control',
  /** The same screen; the spec has both addresses. */
  missionControlToo: '/admin/mission-control',

  help: '/help',
  helpArticle: (article: string) => `/help/${article}`,
  support: '/support',
  terms: '/terms-of-service',
  privacy: '/privacy-policy',
  about: '/about-us',
  contact: '/contact-us',
  careers: '/careers',
  press: '/press',

  /** Served by the program itself, in demo mode: mail that is not sent. */
  outbox: '/dev/outbox',
} as const

/** The public list, searched. */
export function partsSearch(words: string): string {
  return `${paths.parts}?${new URLSearchParams({ q: words })}`
}

/** The login page that leads back to `from` (a path with its query). */
export function loginFrom(from: string): string {
  return `${paths.login}?${new URLSearchParams({ from })}`
}

export type Plan = 'free' | 'pro'

/** Registration that remembers which plan was chosen on the way in. */
export function registerFor(plan: Plan): string {
  return `${paths.register}?${new URLSearchParams({ plan })}`
}

/** The plans, with the one that was chosen before. */
export function onboardingFor(plan: Plan): string {
  return `${paths.onboarding}?${new URLSearchParams({ plan })}`
}

/** The plan that such an address carries. */
export function planIn(search: URLSearchParams): Plan {
  return search.get('plan') === 'pro' ? 'pro' : 'free'
}

/**
 * Where sign-in may lead: a path of this site, with its query. Anything that a browser could read as another address
 * (`//evil.example`, `/\evil.example`, `javascript:…`, a tab or a line break in between) is refused: undefined.
 */
export function safeReturnPath(from: string | null | undefined): string | undefined {
  if (!from || hasControlCharacter(from) || !/^\/(?![/\\])/.test(from)) return undefined
  const here = 'https://site.invalid'
  if (!URL.canParse(from, here)) return undefined
  const { origin, pathname, search, hash } = new URL(from, here)
  // Dots are resolved by now: `/.//evil.example` would have become a path that begins with two slashes.
  if (origin !== here || !/^\/(?![/\\])/.test(pathname)) return undefined
  return pathname + search + hash
}

/** Browsers drop tabs and line breaks from an address before they read it. */
function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f')
}
