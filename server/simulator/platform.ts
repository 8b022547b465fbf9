import { z } from 'zod'
import { type ApiCall, apiCall, listOf } from './api-call.ts'
import {
  createdRange,
  flag,
  integer,
  listParameters,
  nestedParameters,
  noSuch,
  parameters,
  text,
} from './parameters.ts'
import { PLATFORM } from './permissions.ts'
import type { Work } from './simulator.ts'
import { findObject, listFailedEvents, listObjects } from './store.ts'

/*
 * The operator's own account: price, webhook endpoints, portal and events, which `payments doctor` checks. Tests
 * configure what is missing (`setup` of POST /simulator/behavior).
 */

const YEAR_AGO_S = 365 * 24 * 3_600

export const platformCalls: readonly ApiCall[] = [
  apiCall('GET /account', parameters({}), async ({ now, simulator }) => {
    const { chargesEnabled, payoutSchedule, statementPrefix } = simulator.behavior.setup
    const days = { delay_days: 2, interval: payoutSchedule }
    const anchors = {
      manual: {},
      daily: {},
      weekly: { weekly_anchor: 'monday', weekly_payout_days: ['monday'] },
      monthly: { monthly_anchor: 1, monthly_payout_days: [1] },
    }
    return {
      id: PLATFORM,
      object: 'account',
      charges_enabled: chargesEnabled,
      country: 'US',
      created: now - YEAR_AGO_S,
      default_currency: 'usd',
      details_submitted: chargesEnabled,
      payouts_enabled: chargesEnabled,
      settings: {
        card_payments: {
          statement_descriptor_prefix: statementPrefix,
          statement_descriptor_prefix_kana: null,
          statement_descriptor_prefix_kanji: null,
        },
        payments: { statement_descriptor: statementPrefix },
        payouts: {
          debit_negative_balances: true,
          schedule: { ...days, ...anchors[payoutSchedule] },
          statement_descriptor: null,
        },
      },
      type: 'standard',
    }
  }),
  apiCall('GET /prices/:id', parameters({}), async ({ now, simulator }, _given, { id }) => {
    const { plan, behavior } = simulator
    const set = behavior.setup.price
    if (id !== plan.priceId || set === 'missing') throw noSuch('price', id)
    return {
      id,
      object: 'price',
      active: set !== 'archived',
      billing_scheme: 'per_unit',
      created: now - YEAR_AGO_S,
      currency: behavior.setup.currency,
      livemode: false,
      product: { id: 'prod_simulator_pro', object: 'product', active: true, name: plan.productName },
      recurring: {
        interval: set === 'yearly' ? 'year' : 'month',
        interval_count: 1,
        usage_type: 'licensed',
      },
      type: 'recurring',
      unit_amount: behavior.setup.unitAmountCents ?? plan.unitAmountCents,
    }
  }),
  apiCall('GET /webhook_endpoints', listParameters({}), async (work, { limit }) =>
    listOf(endpointsOf(work), '/v1/webhook_endpoints', limit),
  ),
  apiCall(
    'GET /billing_portal/configurations',
    listParameters({ active: z.literal('true').optional(), is_default: z.literal('true').optional() }),
    async ({ now, simulator }, { limit }) => {
      const { portal } = simulator.behavior.setup
      const configuration = {
        id: 'bpc_simulator',
        object: 'billing_portal.configuration',
        active: true,
        created: now - YEAR_AGO_S,
        features: {
          customer_update: { allowed_updates: [], enabled: false },
          invoice_history: { enabled: true },
          payment_method_update: { enabled: portal !== 'bare' },
          subscription_cancel: { enabled: portal !== 'bare', mode: 'at_period_end' },
          subscription_update: { enabled: false },
        },
        is_default: true,
        livemode: false,
      }
      return listOf(portal === 'none' ? [] : [configuration], '/v1/billing_portal/configurations', limit)
    },
  ),
  apiCall(
    'GET /tax/registrations',
    listParameters({ status: z.enum(['active', 'all', 'expired', 'scheduled']).default('all') }),
    async ({ now, simulator }, { limit, status }) => {
      const all = simulator.behavior.setup.taxStates.map((state) => ({
        id: `taxreg_simulator_${state}`,
        object: 'tax.registration',
        active_from: now - YEAR_AGO_S,
        country: 'US',
        country_options: { us: { state, type: 'state_sales_tax' } },
        created: now - YEAR_AGO_S,
        expires_at: null,
        livemode: false,
        status: 'active',
      }))
      return listOf(status === 'active' || status === 'all' ? all : [], '/v1/tax/registrations', limit)
    },
  ),
  apiCall('GET /events/:id', parameters({}), async ({ db }, _given, { id }) => {
    const event = await findObject(db, 'event', id)
    if (!event) throw noSuch('event', id)
    return event
  }),
  apiCall(
    'GET /events',
    nestedParameters({
      created: createdRange,
      delivery_success: flag.optional(),
      limit: integer.pipe(z.number().min(1).max(100)).default(10),
      starting_after: text.optional(),
      type: text.optional(),
    }),
    async ({ db }, { created, type, delivery_success: isDelivered, limit, starting_after: after }) => {
      const found =
        isDelivered === false
          ? await listFailedEvents(db, limit)
          : await listObjects(db, { kind: 'event', type, created, after, limit })
      return listOf(found, '/v1/events', limit)
    },
  ),
]

/** As set up by an operator: one for the platform's events, one for those of connected accounts. */
function endpointsOf({ now, simulator }: Work): object[] {
  const { behavior, webhookUrl: url } = simulator
  const all = behavior.setup.endpoints ?? [
    { connect: false, events: ['*'], url },
    { connect: true, events: ['*'], url },
  ]
  return all.map(({ connect, events, url: own = url, status = 'enabled' }, place) => ({
    id: `we_simulator_${place}`,
    object: 'webhook_endpoint',
    api_version: null,
    application: connect ? 'ca_simulator' : null,
    created: now - YEAR_AGO_S,
    description: null,
    enabled_events: events,
    livemode: false,
    metadata: {},
    status,
    url: own ?? '',
  }))
}
