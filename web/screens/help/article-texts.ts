import type { ComponentType } from 'react'

type ArticleText = {
  /** In `articles`. */
  file: string
  load: () => Promise<ComponentType>
}

const account = () => import('./articles/account.tsx')
const selling = () => import('./articles/selling.tsx')
const visitors = () => import('./articles/visitors.tsx')

/** Where each article's text is. Apart from the titles, since the table of routes is part of every page. */
export const articleTexts: Record<string, ArticleText> = {
  'listing-a-part': { file: 'selling', load: async () => (await selling()).ListingAPart },
  grades: { file: 'selling', load: async () => (await selling()).Grades },
  'being-found': { file: 'visitors', load: async () => (await visitors()).BeingFound },
  importing: { file: 'selling', load: async () => (await selling()).Importing },
  messages: { file: 'visitors', load: async () => (await visitors()).Messages },
  figures: { file: 'visitors', load: async () => (await visitors()).Figures },
  payouts: { file: 'account', load: async () => (await account()).Payouts },
  plans: { file: 'account', load: async () => (await account()).Plans },
  'account-and-password': { file: 'account', load: async () => (await account()).AccountAndPassword },
}
