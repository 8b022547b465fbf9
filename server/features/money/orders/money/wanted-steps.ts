import { sql } from 'kysely'
import { z } from 'zod'
import type { NewPayment } from '#server/features/money/billing/provider.ts'
import type { Db } from '#server/platform/database/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

/*
 * What is to be done at the payment provider: written in the transaction of the state that asks for it, performed outside
 * of any (`provider-steps.ts`), with the row's id as the provider's key.
 */

export const orderStepsQueue: JobQueue<{ orderId: string }> = {
  name: 'order-steps',
  title: 'Pay, capture and refund orders',
  payload: z.object({ orderId: z.uuid() }).strict(),
  // About nine hours with the pauses; the sweep asks again after that.
  maxAttempts: 16,
  retryDelaySeconds: 2,
  resumable: true,
  timeoutSeconds: 60,
  concurrency: 6,
}

/** What is done with an order's payment. Transfers of its money have their own sweep (`release/`). */
export type StepKind =
  | 'open-session'
  | 'expire-session'
  | 'capture'
  | 'cancel'
  | 'refund'
  | 'read'
  | 'submit-evidence'

/** The evidence for a bank, by the provider's names of its texts. */
type EvidenceRequest = {
  disputeId: string
  evidence: Readonly<Record<string, string>>
  photoIds: readonly string[]
  /** The photos at the provider, once they were handed in. */
  fileId?: string
}

/** Steps `s` that are performed with the payment. */
export const isOfPayment = sql`s.kind not in ('transfer', 'reverse')`

export type ProviderStep = {
  readonly id: string
  readonly orderId: string
  readonly kind: StepKind
  readonly amountCents: number | null
  readonly refundId: string | null
  readonly request: Partial<NewPayment & EvidenceRequest>
}

type NewStep = {
  orderId: string
  kind: StepKind
  amountCents?: number
  refundId?: string
  request?: Omit<NewPayment, 'expiresAt'> | EvidenceRequest
}

/** Writes what is to be done and the job that does it, in the caller's transaction. */
export async function wantStep(
  trx: Db,
  { orderId, kind, amountCents, refundId, request }: NewStep,
): Promise<void> {
  await sql`
    insert into order_step (order_id, kind, amount_cents, refund_id, request)
    values (${orderId}, ${kind}, ${amountCents ?? null}, ${refundId ?? null}, ${JSON.stringify(request ?? {})}::jsonb)
    on conflict do nothing`.execute(trx)
  await enqueueJob(trx, { queue: orderStepsQueue, payload: { orderId } })
}

export async function listWanted(db: Db, orderId: string): Promise<ProviderStep[]> {
  const { rows } = await sql<ProviderStep>`
    select id, order_id as "orderId", kind, amount_cents::float8 as "amountCents", refund_id as "refundId", request
    from order_step s where order_id = ${orderId} and state = 'wanted' and ${isOfPayment} order by id`.execute(
    db,
  )
  return rows
}

export async function finishStep(
  trx: Db,
  id: string,
  {
    state,
    providerId,
    problem,
  }: { state: 'done' | 'failed' | 'void'; providerId?: string; problem?: string },
): Promise<void> {
  await sql`
    update order_step set state = ${state}, provider_id = coalesce(${providerId ?? null}, provider_id),
      problem = ${problem ?? null}, done_at = now()
    where id = ${id} and state = 'wanted'`.execute(trx)
}
