/*
 * Paths of public pages, shared by the web app and the server's sitemap. Pages import this file, so nothing here may
 * need zod.
 */

/** Pages that do not depend on stock, except home and the list. */
export const sitePaths = {
  home: '/',
  parts: '/parts',
  help: '/help',
  support: '/support',
  terms: '/terms-of-service',
  privacy: '/privacy-policy',
  about: '/about-us',
  contact: '/contact-us',
} as const

/** The last segments of the support articles' addresses, in the order a new seller needs them, then a buyer. */
export const helpArticles = [
  'listing-a-part',
  'grades',
  'being-found',
  'importing',
  'your-yards-page',
  'messages',
  'saved-searches',
  'figures',
  'payouts',
  'plans',
  'account-and-password',
  'buying',
  'does-it-fit',
  'shipping-and-pickup',
  'holds-and-offers',
  'returns',
  'core-charges',
  'fraud-and-your-money',
] as const
export type HelpArticle = (typeof helpArticles)[number]

export const helpPath = (article: string): string => `${sitePaths.help}/${article}`

export const partPath = (slug: string): string => `${sitePaths.parts}/${encodeURIComponent(slug)}`

export const sellerPath = (slug: string): string => `/sellers/${encodeURIComponent(slug)}`

/** Whether the page is a work page, whose header has no search box. */
export const isDeskPath = (path: string): boolean => /^\/(dashboard|admin|stripe)\b/.test(path)
