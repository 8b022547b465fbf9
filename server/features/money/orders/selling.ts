import { sql } from 'kysely'
import type { ShippingRule } from '#contract/order/combined-shipping.ts'
import { ROYALTY_FLOOR_CENTS, royalties } from '#contract/order/money/ledger.ts'
import type { OwnSelling } from '#contract/order/order-calls.ts'
import type { SaleMode } from '#contract/order/order-steps.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/* Whether a yard sells online. */

type SellingRow = {
  enabled: boolean
  mode: SaleMode
  days: number
  combinedShipping: ShippingRule
  tier: keyof typeof royalties
  connectStatus: string
  canTransfer: boolean
  acceptedAt: Date | null
  acceptedPercent: number | null
  override: number | null
}

async function readRow(db: Db, sellerId: string): Promise<SellingRow> {
  const { rows } = await sql<SellingRow>`
    select sells_online as enabled, sale_mode as mode, days_to_ship as days,
           combined_shipping as "combinedShipping", tier, connect_status as "connectStatus",
           can_transfer as "canTransfer", selling_accepted_at as "acceptedAt",
           accepted_royalty_percent::float8 as "acceptedPercent", royalty_override::float8 as override
    from seller where id = ${sellerId}`.execute(db)
  return onlyRow(rows)
}

/** What a yard's new orders pay: its own rate, else its plan's. */
export const royaltyPercentOf = ({ tier, override }: Pick<SellingRow, 'tier' | 'override'>): number =>
  override ?? royalties[tier].percent

/** Why a yard cannot sell online; null if it can. */
export function problemOf({
  connectStatus,
  canTransfer,
}: Pick<SellingRow, 'connectStatus' | 'canTransfer'>): string | null {
  if (connectStatus !== 'VERIFIED')
    return 'Verify your payout account first, so that your money can reach you.'
  if (!canTransfer)
    return 'Stripe does not allow transfers to your payout account yet. Open Payout Settings to see what is missing.'
  return null
}

const present = (row: SellingRow, available: boolean): OwnSelling => ({
  enabled: row.enabled,
  mode: row.mode,
  days: row.days,
  combinedShipping: row.combinedShipping,
  available,
  problem: problemOf(row),
  royaltyPercent: royaltyPercentOf(row),
  royaltyFloor: ROYALTY_FLOOR_CENTS / 100,
  acceptedAt: row.acceptedAt?.toISOString() ?? null,
})

export async function readSelling(db: Db, sellerId: string, available: boolean): Promise<OwnSelling> {
  return present(await readRow(db, sellerId), available)
}

type Setting = {
  enabled: boolean
  mode: SaleMode
  days: number
  combinedShipping?: ShippingRule | undefined
}

/**
 * Switches selling online on or off. Switching it on accepts the royalty that is shown.
 * @throws AppError VALIDATION_FAILED while payouts are not verified
 */
export function setSelling(
  db: Db,
  {
    sellerId,
    setting,
    available,
    by,
    now,
  }: { sellerId: string; setting: Setting; available: boolean; by: AuditActor; now: Date },
): Promise<OwnSelling> {
  return db.transaction().execute(async (trx) => {
    await sql`select from seller where id = ${sellerId} for no key update`.execute(trx)
    const before = await readRow(trx, sellerId)
    const problem = setting.enabled ? problemOf(before) : null
    if (problem !== null) throw new AppError('VALIDATION_FAILED', problem, { fields: { enabled: problem } })
    const percent = royaltyPercentOf(before)
    const accepts = setting.enabled && !(before.enabled && before.acceptedPercent === percent)
    await sql`
      update seller set sells_online = ${setting.enabled}, sale_mode = ${setting.mode}, days_to_ship = ${setting.days},
        combined_shipping = coalesce(${setting.combinedShipping ?? null}, combined_shipping),
        selling_accepted_at = case when ${accepts} then ${now} else selling_accepted_at end,
        accepted_royalty_percent = case when ${accepts} then ${percent}::numeric else accepted_royalty_percent end
      where id = ${sellerId}`.execute(trx)
    const detail = {
      enabled: setting.enabled,
      mode: setting.mode,
      days: setting.days,
      ...(setting.combinedShipping && { combinedShipping: setting.combinedShipping }),
      royaltyPercent: percent,
    }
    await writeAudit(trx, { action: 'selling-changed', target: sellerId, detail, ...by })
    await noteSeller(trx, sellerId)
    return present(await readRow(trx, sellerId), available)
  })
}

/** All of the yard's pages say whether its parts can be bought. */
async function noteSeller(trx: Db, sellerId: string): Promise<void> {
  await sql`insert into listing_tally_change values (${sellerId}, 0, 0, 0, 1)`.execute(trx)
  await sql`
    insert into part_type_change
    select coalesce(category_id, '00000000-0000-0000-0000-000000000000'), 1 from listing where seller_id = ${sellerId}
    group by 1`.execute(trx)
}
