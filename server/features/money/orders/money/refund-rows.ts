import { sql } from 'kysely'
import type { LineKind } from '#contract/order/order-quote.ts'
import type { Db } from '#server/platform/database/database.ts'

/* Stored refunds: what each gives back, by kind. */

export type Cents = Record<LineKind, number>

/** What a refund gives back for one of several parts. */
export type OfLine = { readonly line: string; readonly kind: LineKind; readonly cents: number }

export type RefundRow = {
  readonly id: string
  readonly orderId: string
  readonly partCents: number
  readonly shippingCents: number
  readonly coreCents: number
  readonly taxCents: number
  readonly royaltyCents: number
  readonly ofLines: readonly OfLine[]
  readonly state: 'requested' | 'pending' | 'succeeded' | 'failed'
  readonly reason: string
  readonly createdAt: Date
}

export async function listRefunds(db: Db, orderIds: readonly string[]): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    select id, order_id as "orderId", part_cents::float8 as "partCents", shipping_cents::float8 as "shippingCents",
           core_cents::float8 as "coreCents", tax_cents::float8 as "taxCents", royalty_cents::float8 as "royaltyCents",
           of_lines as "ofLines", state, reason, created_at as "createdAt"
    from order_refund where order_id = any(${[...orderIds]}::uuid[]) order by id`.execute(db)
  return rows
}

export const centsOfRefund = (row: RefundRow): Cents => ({
  part: row.partCents,
  shipping: row.shippingCents,
  core: row.coreCents,
  tax: row.taxCents,
})

export const sumOf = (cents: Cents): number => cents.part + cents.shipping + cents.core + cents.tax
export const totalOfRefund = (row: RefundRow): number => sumOf(centsOfRefund(row))
