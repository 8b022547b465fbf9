import type { ComponentType } from 'react'
import { AccountAndPassword, Payouts, Plans } from '#web/screens/help/articles/account.tsx'
import { Grades, Importing, ListingAPart } from '#web/screens/help/articles/selling.tsx'
import { BeingFound, Figures, Messages } from '#web/screens/help/articles/visitors.tsx'

export type Article = { name: string; title: string; summary: string; Body: ComponentType }

/** In the order in which a new seller needs them; `name` is the article's address. */
export const articles: Article[] = [
  {
    name: 'listing-a-part',
    title: 'List a part',
    summary: 'The two forms, part numbers, pictures, and what is filled in for you.',
    Body: ListingAPart,
  },
  {
    name: 'grades',
    title: 'Grade a part: A, B, C or D',
    summary: 'What each grade means, and which to take in doubt.',
    Body: Grades,
  },
  {
    name: 'being-found',
    title: 'Be found by the buyer',
    summary: 'Titles, categories and descriptions that answer before they are asked.',
    Body: BeingFound,
  },
  {
    name: 'importing',
    title: 'Import the file of your yard system',
    summary: 'What the file needs, the dry run, replacing your stock, and taking an import back.',
    Body: Importing,
  },
  {
    name: 'messages',
    title: 'Answer your buyers',
    summary: 'Where messages come in, answering by mail, and calls instead.',
    Body: Messages,
  },
  {
    name: 'figures',
    title: 'Read your figures',
    summary: 'Views, leads and conversion: what is counted, and what to do with it.',
    Body: Figures,
  },
  {
    name: 'payouts',
    title: 'Get paid: payouts and Stripe',
    summary: 'What Stripe asks for, and what each status means.',
    Body: Payouts,
  },
  {
    name: 'plans',
    title: 'Free and Pro: plans and billing',
    summary: 'How to upgrade, what happens when a payment fails, and how to cancel.',
    Body: Plans,
  },
  {
    name: 'account-and-password',
    title: 'Your account and your password',
    summary: 'Signing in, forgotten passwords, where you are signed in, shared computers.',
    Body: AccountAndPassword,
  },
]
