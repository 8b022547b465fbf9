import { newId } from './stripe-id.ts'
import type { Account, Metadata } from './stripe-objects.ts'

export type AccountDetails = {
  readonly country: string
  readonly email: string | undefined
  readonly businessType: Account['business_type']
  readonly businessName: string | undefined
  readonly url: string | undefined
  readonly capabilities: readonly Capability[]
  readonly metadata: Metadata
}

export type Capability = 'card_payments' | 'transfers'

/** Where a seller's onboarding stands. */
export type Onboarding = 'unfinished' | 'under review' | 'verified' | 'rejected'

const ASKED_FOR = ['business_type', 'external_account', 'tos_acceptance.date', 'tos_acceptance.ip']

/** An Express account of which Stripe knows nothing yet but what the platform told. */
export function newAccount(details: AccountDetails, now: number): Account {
  const { capabilities } = details
  return {
    id: newId('acct'),
    object: 'account',
    business_profile: {
      annual_revenue: null,
      estimated_worker_count: null,
      mcc: null,
      minority_owned_business_designation: null,
      name: details.businessName ?? null,
      product_description: null,
      specified_commercial_transactions_act_url: null,
      support_address: null,
      support_email: null,
      support_phone: null,
      support_url: null,
      url: details.url ?? null,
    },
    business_type: details.businessType ?? null,
    ...standing('unfinished', capabilities),
    controller: {
      fees: { payer: 'application_express' },
      is_controller: true,
      losses: { payments: 'application' },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: 'express' },
      type: 'application',
    },
    country: details.country,
    created: now,
    default_currency: 'usd',
    email: details.email ?? null,
    external_accounts: { object: 'list', data: [], has_more: false, url: '' },
    future_requirements: requirements([], null),
    groups: null,
    metadata: details.metadata,
    settings: {
      branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
      card_payments: {
        decline_on: { avs_failure: false, cvc_failure: false },
        statement_descriptor_prefix: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      dashboard: { display_name: details.businessName ?? null, timezone: 'Etc/UTC' },
      payments: {
        statement_descriptor: null,
        statement_descriptor_kana: null,
        statement_descriptor_kanji: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      payouts: {
        debit_negative_balances: true,
        schedule: { delay_days: 2, interval: 'weekly', weekly_anchor: 'monday' },
        statement_descriptor: null,
      },
    },
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type: 'express',
  }
}

const CAPABILITY = {
  unfinished: 'inactive',
  'under review': 'pending',
  verified: 'active',
  rejected: 'inactive',
} as const

type Standing = Pick<
  Account,
  'capabilities' | 'charges_enabled' | 'details_submitted' | 'payouts_enabled' | 'requirements'
>

/** The fields in which an account says where it stands. */
export function standing(onboarding: Onboarding, capabilities: readonly Capability[]): Standing {
  const isVerified = onboarding === 'verified'
  return {
    capabilities: Object.fromEntries(capabilities.map((name) => [name, CAPABILITY[onboarding]])),
    charges_enabled: isVerified,
    details_submitted: onboarding !== 'unfinished',
    payouts_enabled: isVerified,
    requirements: requirementsIn(onboarding),
  }
}

function requirementsIn(onboarding: Onboarding): ReturnType<typeof requirements> {
  switch (onboarding) {
    case 'unfinished':
      return requirements(ASKED_FOR, 'requirements.past_due')
    case 'under review':
      return {
        ...requirements([], 'requirements.pending_verification'),
        pending_verification: ['external_account'],
      }
    case 'verified':
      return requirements([], null)
    case 'rejected':
      return requirements([], 'rejected.other')
  }
}

type Requirements = NonNullable<Account['requirements']>

function requirements(due: string[], disabledReason: Requirements['disabled_reason']): Requirements {
  return {
    alternatives: [],
    current_deadline: null,
    currently_due: due,
    disabled_reason: disabledReason,
    errors: [],
    eventually_due: due,
    past_due: due,
    pending_verification: [],
  }
}

/** The capabilities that were asked for when the account was made. */
export function capabilitiesOf(account: Account): Capability[] {
  return (['card_payments', 'transfers'] as const).filter(
    (name) => account.capabilities?.[name] !== undefined,
  )
}

export function onboardingOf(account: Account): Onboarding {
  if (account.requirements?.disabled_reason?.startsWith('rejected')) return 'rejected'
  if (!account.details_submitted) return 'unfinished'
  return account.charges_enabled ? 'verified' : 'under review'
}
