import type Stripe from 'stripe'
import type {
  ProviderPayout,
  ProviderReversal,
  ProviderTransfer,
  TransferCalls,
} from '#server/features/money/billing/provider.ts'
import { asker } from './call-in-time.ts'
import { type Context, eachOf, idOf } from './payment-calls.ts'

/* A yard's share of its orders: transfers to its account, their reversals, and what its bank got (docs/decisions/0117). */

export function transferCalls(context: Context): TransferCalls {
  return { ...shareCalls(context), ...payoutCalls(context) }
}

function shareCalls({ stripe, deadline }: Context): Omit<TransferCalls, 'listPayouts' | 'listPaidOut'> {
  const ask = asker(deadline)
  const listAll = (params: Stripe.TransferListParams) =>
    eachOf((after) => ask((options) => stripe.transfers.list({ limit: 100, ...params, ...after }, options)))
  return {
    createTransfer: async ({ stepId, orderId, chargeId, accountId, cents }, key) => {
      const params: Stripe.TransferCreateParams = {
        amount: cents,
        currency: 'usd',
        destination: accountId,
        source_transaction: chargeId,
        transfer_group: orderId,
        metadata: { order: orderId, step: stepId },
      }
      return transferOf(await ask((options) => stripe.transfers.create(params, options), key))
    },
    listTransfersOf: async (orderId) => {
      const all: ProviderTransfer[] = []
      for await (const found of listAll({ transfer_group: orderId })) all.push(transferOf(found))
      return all
    },
    listTransfers: async function* () {
      for await (const found of listAll({})) yield transferOf(found)
    },
    readTransfer: async (id) =>
      transferOf(await ask((options) => stripe.transfers.retrieve(id, {}, options))),
    listReversals: async (id) => {
      const all: ProviderReversal[] = []
      const list = (after: object) =>
        ask((options) => stripe.transfers.listReversals(id, { limit: 100, ...after }, options))
      for await (const found of eachOf(list)) all.push(reversalOf(found))
      return all
    },
    createReversal: async ({ transferId, stepId, orderId, cents }, key) => {
      const params = { amount: cents, metadata: { order: orderId, step: stepId } }
      return reversalOf(
        await ask((options) => stripe.transfers.createReversal(transferId, params, options), key),
      )
    },
  }
}

function payoutCalls({ stripe, deadline }: Context): Pick<TransferCalls, 'listPayouts' | 'listPaidOut'> {
  const ask = asker(deadline)
  return {
    listPayouts: async function* (stripeAccount, since) {
      const created = { gte: Math.floor(since.getTime() / 1_000) }
      const list = (after: object) =>
        ask((options) =>
          stripe.payouts.list({ limit: 100, created, ...after }, { ...options, stripeAccount }),
        )
      for await (const found of eachOf(list)) yield payoutOf(found)
    },
    listPaidOut: async function* (stripeAccount, payout) {
      const list = (after: object) =>
        ask((options) =>
          stripe.balanceTransactions.list(
            { limit: 100, payout, type: 'payment', ...after },
            { ...options, stripeAccount },
          ),
        )
      for await (const { source } of eachOf(list)) {
        const id = idOf(source)
        if (id !== null) yield id
      }
    },
  }
}

function transferOf(found: Stripe.Transfer): ProviderTransfer {
  return {
    id: found.id,
    cents: found.amount,
    orderId: found.transfer_group,
    stepId: found.metadata.step ?? null,
    chargeId: idOf(found.source_transaction),
    accountId: idOf(found.destination),
    paymentId: idOf(found.destination_payment),
    reversedCents: found.amount_reversed,
  }
}

const reversalOf = ({ id, amount, metadata }: Stripe.TransferReversal): ProviderReversal => ({
  id,
  cents: amount,
  stepId: metadata?.step ?? null,
})

const PAYOUT_STATUSES = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const

function payoutOf(found: Stripe.Payout): ProviderPayout {
  return {
    id: found.id,
    cents: found.amount,
    status: PAYOUT_STATUSES.find((known) => known === found.status) ?? 'pending',
    arrivesAt: new Date(found.arrival_date * 1_000),
    createdAt: new Date(found.created * 1_000),
    problem: found.failure_message,
  }
}
