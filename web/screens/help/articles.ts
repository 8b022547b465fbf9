import type { HelpArticle } from '#contract/pages/site-paths.ts'

export type Article = {
  name: HelpArticle
  title: string
  summary: string
  /** Only where parts can be bought online. */
  orders?: true
}

/** In the order a new seller needs them, then a buyer; `name` is the last segment of the article's URL. */
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
  {
    name: 'buying',
    title: 'Buy a part',
    summary: 'The total, paying, what happens while the yard looks for it, and canceling.',
    orders: true,
  },
  {
    name: 'does-it-fit',
    title: 'Check that a part fits',
    summary: 'Part numbers, your VIN, and what the listing says.',
    orders: true,
  },
  {
    name: 'shipping-and-pickup',
    title: 'Shipping and pickup',
    summary: 'When it ships, what happens if it is late, freight, and the pickup code.',
    orders: true,
  },
  {
    name: 'holds-and-offers',
    title: 'Holds and offers',
    summary: 'Why a part is in someone’s cart, how long, and how offers work.',
    orders: true,
  },
  {
    name: 'returns',
    title: 'Returns and problems',
    summary: 'Send a part back, or report that it is damaged, wrong or never arrived.',
    orders: true,
  },
  {
    name: 'core-charges',
    title: 'Core charges',
    summary: 'What they are, and how to get the money back.',
    orders: true,
  },
  {
    name: 'fraud-and-your-money',
    title: 'Fraud and your money',
    summary: 'Who holds your money until the part is delivered, and what nobody needs from you.',
    orders: true,
  },
]

/** Where nothing can be bought online, articles about buying would only confuse. */
export const shownArticles = (orders: boolean): Article[] =>
  orders ? articles : articles.filter((article) => !article.orders)
