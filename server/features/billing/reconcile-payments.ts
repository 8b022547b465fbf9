import { LOWEST_ID } from '#server/platform/database/cursors.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { ProviderCalls, StripeClient } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'
import { listProviderSellers, type ProviderSeller } from './queries.ts'
import { syncConnect } from './sync-connect.ts'
import { syncSubscription } from './sync-subscription.ts'

type Value = string | boolean | Date | null

export type Reconciled = {
  readonly seller: string
  /** What stands differently now, as before and after. */
  readonly changed: Readonly<Record<string, readonly [before: Value, after: Value]>>
  /** Why the provider could not be read; what stood is left as it was. */
  readonly failure?: string
}

const PAGE = 100
// Far below what the provider takes (100 reads a second), so that the shop's own calls are not turned away.
const AT_ONCE = 4
const WITHIN_MS = 30_000

/**
 * Reads every seller whom the provider knows again, and tells of each how it went: the repair after an outage, or after
 * webhooks were lost. Safe to break off and to repeat. An administrator's grant stands whatever the provider says.
 */
export async function* reconcilePayments(deps: { db: Db; stripe: StripeClient }): AsyncGenerator<Reconciled> {
  let after = LOWEST_ID
  for (;;) {
    const page = await listProviderSellers(deps.db, { after, limit: PAGE })
    for (let from = 0; from < page.length; from += AT_ONCE) {
      yield* await Promise.all(page.slice(from, from + AT_ONCE).map((seller) => reconcileOne(deps, seller)))
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.id
  }
}

async function reconcileOne(
  { db, stripe }: { db: Db; stripe: StripeClient },
  { id, slug }: ProviderSeller,
): Promise<Reconciled> {
  try {
    return { seller: slug, changed: await readBoth(db, stripe.within(WITHIN_MS), id) }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return { seller: slug, changed: {}, failure: error.message }
  }
}

async function readBoth(db: Db, calls: ProviderCalls, sellerId: string): Promise<Reconciled['changed']> {
  const plan = await syncSubscription(db, calls, sellerId)
  const connect = await syncConnect(db, calls, sellerId)
  return { ...changesOf(plan?.written), ...changesOf(connect?.written) }
}

type Written = { before: Readonly<Record<string, Value>>; after: Readonly<Record<string, Value>> }

function changesOf(written: Written | undefined): Record<string, [Value, Value]> {
  const { before = {}, after = {} } = written ?? {}
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return Object.fromEntries(changed.map(([name, value]) => [name, [before[name] ?? null, value]]))
}
