import type { ComponentType } from 'react'
import type { HelpArticle } from '#contract/pages/site-paths.ts'

export type Article = {
  name: HelpArticle
  title: string
  summary: string
  /** The file in `articles` with its text, so that a reader loads no other. */
  file: string
  load: () => Promise<ComponentType>
}

const account = () => import('./articles/account.tsx')
const selling = () => import('./articles/selling.tsx')
const visitors = () => import('./articles/visitors.tsx')

/** In the order a new seller needs them; `name` is the last segment of the article's URL. */
export const articles: Article[] = [
  {
    name: 'listing-a-part',
    title: 'List a part',
    summary: 'The two forms, part numbers, pictures and defaults.',
    file: 'selling',
    load: async () => (await selling()).ListingAPart,
  },
  {
    name: 'grades',
    title: 'Grade a part: A, B, C or D',
    summary: 'What each grade means and how to choose one.',
    file: 'selling',
    load: async () => (await selling()).Grades,
  },
  {
    name: 'being-found',
    title: 'Help buyers find your parts',
    summary: 'Titles, categories and descriptions that work.',
    file: 'visitors',
    load: async () => (await visitors()).BeingFound,
  },
  {
    name: 'importing',
    title: 'Import your inventory',
    summary: 'What the file needs, the dry run, replacing your stock, and undo.',
    file: 'selling',
    load: async () => (await selling()).Importing,
  },
  {
    name: 'messages',
    title: 'Reply to buyers',
    summary: 'Where messages arrive, replying by email, and phone calls.',
    file: 'visitors',
    load: async () => (await visitors()).Messages,
  },
  {
    name: 'figures',
    title: 'Understand your numbers',
    summary: 'Views, leads and conversion, and what to do about them.',
    file: 'visitors',
    load: async () => (await visitors()).Figures,
  },
  {
    name: 'payouts',
    title: 'Get paid: payouts and Stripe',
    summary: 'What Stripe asks for and what each status means.',
    file: 'account',
    load: async () => (await account()).Payouts,
  },
  {
    name: 'plans',
    title: 'Free and Pro: plans and billing',
    summary: 'How to upgrade, what happens when a payment fails, and how to cancel.',
    file: 'account',
    load: async () => (await account()).Plans,
  },
  {
    name: 'account-and-password',
    title: 'Your account and your password',
    summary: 'Signing in, resetting your password, your devices, shared computers.',
    file: 'account',
    load: async () => (await account()).AccountAndPassword,
  },
]
