import { StripeError } from './parameters.ts'
import type { Simulator, Work } from './simulator.ts'
import { findObject } from './store.ts'
import type { Account } from './stripe-objects.ts'

/** The operator's own account. */
export const PLATFORM = 'acct_simulator_platform'

/** What Stripe checks before it looks at a call's parameters: Connect and what a restricted key may do. */
export function checkPermission({ behavior }: Simulator, method: string, path: string): void {
  const { lacks, connect } = behavior.setup
  const needed = PERMISSIONS.find(([of, prefix]) => of.includes(method) && path.startsWith(prefix))?.[2]
  if (needed !== undefined && lacks.includes(needed)) {
    throw new StripeError(
      403,
      `The provided key 'rk_test_****' does not have the required permissions for this endpoint on account '${PLATFORM}'. Having the '${needed}' permission would allow this request to continue.`,
    )
  }
  if (connect || !/^\/v1\/account(s|_links)\b/.test(path)) return
  throw new StripeError(
    403,
    'Only Stripe Connect platforms can work with other accounts. If you need to setup a Stripe Connect platform, you can do so at https://dashboard.stripe.com/account/applications/settings.',
  )
}

/** Stripe does not distinguish a missing account from another platform's. */
export async function accountAt({ db }: Work, id: string): Promise<Account> {
  const account = await findObject(db, 'account', id)
  if (account) return account
  throw new StripeError(
    403,
    `The provided key 'sk_test_****' does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`,
    { code: 'account_invalid' },
  )
}

// First match counts.
const PERMISSIONS: readonly (readonly [methods: string, path: string, permission: string])[] = [
  ['GET', '/v1/customers', 'rak_customer_read'],
  ['POST', '/v1/customers', 'rak_customer_write'],
  ['GET', '/v1/subscriptions', 'rak_subscription_read'],
  ['POST DELETE', '/v1/subscriptions', 'rak_subscription_write'],
  ['GET', '/v1/checkout/sessions', 'rak_checkout_session_read'],
  ['POST', '/v1/checkout/sessions', 'rak_checkout_session_write'],
  ['GET', '/v1/billing_portal', 'rak_customer_portal_read'],
  ['POST', '/v1/billing_portal', 'rak_customer_portal_write'],
  ['GET', '/v1/prices', 'rak_plan_read'],
  ['GET', '/v1/webhook_endpoints', 'rak_webhook_read'],
  ['GET', '/v1/events', 'rak_event_read'],
  ['POST', '/v1/account_links', 'rak_account_link_write'],
  ['GET', '/v1/account', 'rak_accounts_kyc_basic_read'],
  ['POST', '/v1/accounts', 'rak_accounts_kyc_basic_write'],
  // Balance transactions too.
  ['GET', '/v1/balance', 'rak_balance_read'],
  ['GET', '/v1/payment_intents', 'rak_payment_intent_read'],
  ['POST', '/v1/payment_intents', 'rak_payment_intent_write'],
  ['GET', '/v1/charges', 'rak_charge_read'],
  // "Charges and Refunds" is one permission.
  ['GET', '/v1/refunds', 'rak_charge_read'],
  ['POST', '/v1/refunds', 'rak_charge_write'],
  ['GET', '/v1/transfers', 'rak_transfer_read'],
  ['POST', '/v1/transfers', 'rak_transfer_write'],
  ['GET', '/v1/payouts', 'rak_payout_read'],
  ['POST', '/v1/payouts', 'rak_payout_write'],
  ['GET', '/v1/disputes', 'rak_dispute_read'],
  ['POST', '/v1/disputes', 'rak_dispute_write'],
  ['GET', '/v1/files', 'rak_file_read'],
  ['POST', '/v1/files', 'rak_file_write'],
  ['GET', '/v1/reviews', 'rak_review_read'],
  ['POST', '/v1/reviews', 'rak_review_write'],
  ['GET', '/v1/radar/early_fraud_warnings', 'rak_radar_early_fraud_warning_read'],
  ['GET', '/v1/tax/registrations', 'rak_tax_registration_read'],
]
