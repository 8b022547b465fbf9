import { onboardingOf } from '#server/simulator/objects/account.ts'
import { balanceOf, payoutsOf } from '#server/simulator/objects/account-money.ts'
import { findObject } from '#server/simulator/state/object-queries.ts'
import type { Hosted } from './hosted.ts'
import { type Html, html } from './html.ts'
import { factList, inDays, inMoney, showPage } from './page.ts'

/** The seller's own page at the provider: what the account holds, and what went to the bank. */
export const expressPage: Hosted = {
  kind: 'express',
  path: 'express',
  show: async ({ work, page, isOver }) => {
    const { productName } = work.simulator
    const account = isOver ? undefined : await findObject(work.db, 'account', page.subject)
    if (!account) {
      const content = html`<p>Open your payout settings again from ${productName}.</p>`
      return showPage({ productName, title: 'This page has expired', content })
    }
    const { available, pending } = balanceOf(account)
    const sum = (parts: typeof available) =>
      parts.map(({ amount, currency }) => inMoney(amount, currency)).join(', ')
    const payouts = payoutsOf(account, work.now).map(
      ({ amount, currency, arrivesAt }) => [inDays(arrivesAt), inMoney(amount, currency)] as const,
    )
    const content = html`
${factList([
  ['Account', account.id],
  ['Payouts', onboardingOf(account) === 'verified' ? 'Weekly, to the bank account ending in 6789' : 'Off'],
  ['Available', sum(available)],
  ['Pending', sum(pending)],
])}
<h2>Payouts</h2>
${payoutList(payouts)}`
    return showPage({ productName, title: 'Payout settings', content })
  },
  actions: {},
}

function payoutList(payouts: readonly (readonly [string, string])[]): Html {
  return payouts.length === 0 ? html`<p>No payouts yet.</p>` : factList(payouts)
}
