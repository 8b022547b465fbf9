import { z } from 'zod'
import { moveOnboarding } from '#server/simulator/life/account-life.ts'
import { newAccount } from '#server/simulator/objects/account.ts'
import { balanceOf, PLATFORM_BALANCE } from '#server/simulator/objects/account-money.ts'
import type { Account, AccountLink, LoginLink } from '#server/simulator/objects/stripe-objects.ts'
import type { Work } from '#server/simulator/simulator.ts'
import { findObject, insertObject } from '#server/simulator/state/object-queries.ts'
import { insertPage } from '#server/simulator/state/page-queries.ts'
import { type ApiCall, type Asked, apiCall } from './api-call.ts'
import { emailAddress, flag, metadata, oneOf, parameters, text, webAddress } from './parameters.ts'
import { noSuchIn, StripeError } from './stripe-error.ts'

const capability = z.strictObject({ requested: flag.optional() }).optional()

const newAccountParameters = parameters({
  type: oneOf('custom', 'express', 'standard'),
  country: text.optional(),
  email: emailAddress.optional(),
  business_type: oneOf('company', 'government_entity', 'individual', 'non_profit').optional(),
  business_profile: z.strictObject({ name: text.optional(), url: webAddress.optional() }).optional(),
  capabilities: z.strictObject({ card_payments: capability, transfers: capability }).optional(),
  // simulator=verified: as if onboarding were done.
  metadata: metadata.optional(),
})

const newLink = parameters({
  account: text,
  type: oneOf('account_onboarding', 'account_update'),
  refresh_url: webAddress,
  return_url: webAddress,
  collection_options: z
    .strictObject({
      fields: oneOf('currently_due', 'eventually_due').optional(),
      future_requirements: oneOf('include', 'omit').optional(),
    })
    .optional(),
})

export const accountCalls: readonly ApiCall[] = [
  apiCall({ method: 'POST', path: '/v1/accounts', takes: newAccountParameters, answer: openAccount }),
  apiCall({
    method: 'GET',
    path: '/v1/accounts/{id}',
    takes: parameters({}),
    answer: async (work, _given, { id }) => accountAt(work, id),
  }),
  apiCall({ method: 'POST', path: '/v1/account_links', takes: newLink, answer: linkToOnboarding }),
  apiCall({
    method: 'POST',
    path: '/v1/accounts/{id}/login_links',
    takes: parameters({}),
    answer: linkToDashboard,
  }),
  apiCall({
    method: 'GET',
    path: '/v1/balance',
    takes: parameters({}),
    answer: async (_work, _given, { onBehalfOf }) => (onBehalfOf ? balanceOf(onBehalfOf) : PLATFORM_BALANCE),
  }),
]

async function openAccount(work: Work, given: z.output<typeof newAccountParameters>): Promise<Account> {
  if (given.type !== 'express') {
    throw new StripeError(400, `The simulator has express accounts only, not ${given.type}.`, {
      param: 'type',
    })
  }
  const { capabilities: asked } = given
  const account = newAccount(
    {
      country: given.country ?? 'US',
      email: given.email,
      businessType: given.business_type ?? null,
      businessName: given.business_profile?.name,
      url: given.business_profile?.url,
      capabilities: (['card_payments', 'transfers'] as const).filter((name) => asked?.[name]?.requested),
      metadata: given.metadata ?? {},
    },
    work.now,
  )
  await insertObject(work.db, account, account.id)
  return account.metadata?.simulator === 'verified' ? moveOnboarding(work, account, 'verified') : account
}

/** A connected account. Of one that is not there Stripe says no more than of somebody else's. */
export async function accountAt(work: Work, id: string): Promise<Account> {
  const account = await findObject(work.db, 'account', id)
  if (account) return account
  throw new StripeError(
    403,
    `The provided key 'sk_test_****' does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`,
    { code: 'account_invalid' },
  )
}

const LINK_S = 300
const DASHBOARD_S = 3_600

/** Works once, and for five minutes. */
async function linkToOnboarding(work: Work, given: z.output<typeof newLink>): Promise<AccountLink> {
  const account = await findObject(work.db, 'account', given.account)
  if (!account) throw noSuchIn('account', 'account', given.account)
  const expiresAt = work.now + LINK_S
  const token = await insertPage(work.db, {
    kind: 'account-link',
    subject: account.id,
    returnUrl: given.return_url,
    refreshUrl: given.refresh_url,
    expiresAt: new Date(expiresAt * 1000),
  })
  return {
    object: 'account_link',
    created: work.now,
    expires_at: expiresAt,
    url: `${work.simulator.url}/setup/${token}`,
  }
}

async function linkToDashboard(work: Work, _given: unknown, { id }: Asked): Promise<LoginLink> {
  const account = await accountAt(work, id)
  if (!account.details_submitted) {
    throw new StripeError(400, 'Cannot create a login link for an account that has not completed onboarding.')
  }
  const token = await insertPage(work.db, {
    kind: 'express',
    subject: account.id,
    returnUrl: null,
    refreshUrl: null,
    expiresAt: new Date((work.now + DASHBOARD_S) * 1000),
  })
  return { object: 'login_link', created: work.now, url: `${work.simulator.url}/express/${token}` }
}
