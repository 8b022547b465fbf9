import type { HelpArticle } from '#contract/pages/site-paths.ts'

export type Article = {
  name: HelpArticle
  title: string
  summary: string
}

/** In the order a new seller needs them; `name` is the last segment of the article's URL. */
export const articles: Article[] = [
  {
    name: 'listing-a-part',
    title: 'List a part',
    summary: 'The two forms, part and interchange numbers, pictures and defaults.',
  },
  {
    name: 'grades',
    title: 'Grade a part: A, B, C or D',
    summary: 'What each grade means and how to choose one.',
  },
  {
    name: 'being-found',
    title: 'Help buyers find your parts',
    summary: 'Titles, categories and descriptions that work.',
  },
  {
    name: 'importing',
    title: 'Import your inventory',
    summary: 'What the file needs, the dry run, replacing your stock, and undo.',
  },
  {
    name: 'your-yards-page',
    title: 'Set up your yard’s page',
    summary: 'Your address, opening hours, shipping, returns and warranty.',
  },
  {
    name: 'messages',
    title: 'Reply to buyers',
    summary: 'Where messages arrive, replying by email, offers, and phone calls.',
  },
  {
    name: 'saved-searches',
    title: 'Saved searches and wanted parts',
    summary: 'How buyers wait for a part, and how you see what they want.',
  },
  {
    name: 'figures',
    title: 'Understand your numbers',
    summary: 'Views, leads and conversion, and what to do about them.',
  },
  {
    name: 'payouts',
    title: 'Get paid: payouts and Stripe',
    summary: 'What Stripe asks for and what each status means.',
  },
  {
    name: 'plans',
    title: 'Free and Pro: plans and billing',
    summary: 'How to upgrade, what happens when a payment fails, and how to cancel.',
  },
  {
    name: 'account-and-password',
    title: 'Your account and your password',
    summary: 'Signing in, resetting your password, your devices, shared computers.',
  },
]
