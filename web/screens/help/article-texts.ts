import type { ComponentType } from 'react'
import type { HelpArticle } from '#contract/pages/site-paths.ts'

type ArticleText = {
  /** In `articles`. */
  file: string
  load: () => Promise<ComponentType>
}

const account = () => import('./articles/account.tsx')
const selling = () => import('./articles/selling.tsx')
const importing = () => import('./articles/importing.tsx')
const buying = () => import('./articles/buying.tsx')
const visitors = () => import('./articles/visitors.tsx')

/** Where each article's text is. The server names the file in the page. */
export const articleTexts: Record<HelpArticle, ArticleText> = {
  'listing-a-part': { file: 'selling', load: async () => (await selling()).ListingAPart },
  grades: { file: 'selling', load: async () => (await selling()).Grades },
  'being-found': { file: 'visitors', load: async () => (await visitors()).BeingFound },
  importing: { file: 'importing', load: async () => (await importing()).Importing },
  'your-yards-page': { file: 'visitors', load: async () => (await visitors()).YourYardsPage },
  messages: { file: 'visitors', load: async () => (await visitors()).Messages },
  'saved-searches': { file: 'visitors', load: async () => (await visitors()).SavedSearches },
  figures: { file: 'visitors', load: async () => (await visitors()).Figures },
  payouts: { file: 'account', load: async () => (await account()).Payouts },
  plans: { file: 'account', load: async () => (await account()).Plans },
  'account-and-password': { file: 'account', load: async () => (await account()).AccountAndPassword },
  buying: { file: 'buying', load: async () => (await buying()).Buying },
  'does-it-fit': { file: 'buying', load: async () => (await buying()).Fit },
  'shipping-and-pickup': { file: 'buying', load: async () => (await buying()).ShippingAndPickup },
  'holds-and-offers': { file: 'buying', load: async () => (await buying()).HoldsAndOffers },
  returns: { file: 'buying', load: async () => (await buying()).Returns },
  'core-charges': { file: 'buying', load: async () => (await buying()).CoreCharges },
  'fraud-and-your-money': { file: 'buying', load: async () => (await buying()).FraudAndYourMoney },
}
