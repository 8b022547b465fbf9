import { type Answer, seeOther } from '#server/simulator/http/exchange.ts'
import { moveOnboarding } from '#server/simulator/life/account-life.ts'
import { type Onboarding, onboardingOf } from '#server/simulator/objects/account.ts'
import type { Account } from '#server/simulator/objects/stripe-objects.ts'
import { findObject, lockObject } from '#server/simulator/state/object-queries.ts'
import { claimPage, insertPage } from '#server/simulator/state/page-queries.ts'
import type { Hosted, Visit } from './hosted.ts'
import { html } from './html.ts'
import { actionButton, factList, showPage } from './page.ts'

const FORM_S = 3_600

/** The link that the platform hands out: it opens the form once, and leads back for a new one after that. */
export const accountLink: Hosted = {
  kind: 'account-link',
  path: 'setup',
  show: async ({ work, page, address, isOver }) => {
    const token = address.split('/').at(-1) ?? ''
    const back = page.refreshUrl ?? '/'
    if (isOver || !(await claimPage(work.db, token))) return seeOther(back)
    const form = await insertPage(work.db, {
      ...page,
      kind: 'onboarding',
      expiresAt: new Date((work.now + FORM_S) * 1000),
    })
    return seeOther(`/onboarding/${form}`)
  },
  actions: {},
}

export const onboardingPage: Hosted = {
  kind: 'onboarding',
  path: 'onboarding',
  show: async (visit) => {
    if (visit.isOver) return seeOther(visit.page.refreshUrl ?? '/')
    return showForm(visit, await accountOf(visit))
  },
  actions: {
    complete: (visit) => leaveAt(visit, 'verified'),
    submit: (visit) => leaveAt(visit, 'under review'),
    reject: (visit) => leaveAt(visit, 'rejected'),
    leave: async ({ page }) => seeOther(page.returnUrl ?? '/'),
  },
}

const STANDING: Readonly<Record<Onboarding, string>> = {
  unfinished: 'Not finished',
  'under review': 'Being reviewed',
  verified: 'Verified',
  rejected: 'Rejected',
}

function showForm({ work, address }: Visit, account: Account): Answer {
  const { productName } = work.simulator
  return showPage({
    productName,
    title: 'Set up payouts',
    content: html`
<p>Here the provider would ask for business, identity and bank account. Choose how it ends.</p>
${factList([
  ['Account', account.id],
  ...(account.email ? [['E-mail', account.email] as const] : []),
  ['Status', STANDING[onboardingOf(account)]],
])}
${actionButton(`${address}/complete`, 'Complete', 'main')}
${actionButton(`${address}/leave`, 'Leave unfinished')}
${actionButton(`${address}/submit`, 'Submit, review takes longer')}
${actionButton(`${address}/reject`, 'Reject')}`,
  })
}

async function leaveAt({ work, page, isOver }: Visit, to: Onboarding): Promise<Answer> {
  if (isOver) return seeOther(page.refreshUrl ?? '/')
  const account = await lockObject(work.db, 'account', page.subject)
  if (account) await moveOnboarding(work, account, to)
  return seeOther(page.returnUrl ?? '/')
}

async function accountOf({ work, page }: Visit): Promise<Account> {
  const account = await findObject(work.db, 'account', page.subject)
  if (!account) throw new Error(`${page.subject} has a page and no account`)
  return account
}
