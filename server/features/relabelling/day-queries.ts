import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

type Days = { from: string; into: string; limit: number }

/**
 * Adds some days of one category to those of another and answers how many it was. Both rows of a day are taken by one
 * statement in the order of the key, like by all who write views and leads: another order could lock two against each other.
 */
export async function moveDays(trx: Db, { from, into, limit }: Days): Promise<number> {
  const { rows } = await sql<{ sellerId: string; day: string }>`
    select seller_id as "sellerId", day from seller_day where category_id = ${from} limit ${limit}
  `.execute(trx)
  if (rows.length === 0) return 0
  const keys = sql`unnest(${rows.map(({ sellerId }) => sellerId)}::uuid[], ${rows.map(({ day }) => day)}::date[])`
  await sql`
    insert into seller_day as d (seller_id, day, category_id)
    select k.seller_id, k.day, category_id
    from ${keys} as k(seller_id, day) cross join unnest(${[from, into]}::uuid[]) as category_id
    order by 1, 2, 3
    on conflict (seller_id, day, category_id) do update set views = d.views
  `.execute(trx)
  await sql`
    with gone as (
      delete from seller_day d using ${keys} as k(seller_id, day)
      where d.seller_id = k.seller_id and d.day = k.day and d.category_id = ${from}
      returning d.seller_id, d.day, d.views, d.leads
    )
    update seller_day d set views = d.views + gone.views, leads = d.leads + gone.leads
    from gone where d.seller_id = gone.seller_id and d.day = gone.day and d.category_id = ${into}
  `.execute(trx)
  return rows.length
}

/** Whoever counts a view or a lead waits until the transaction ends, and then reads categories anew. */
export async function holdDays(trx: Db): Promise<void> {
  await sql`lock table seller_day in share row exclusive mode`.execute(trx)
}
