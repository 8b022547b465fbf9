import { sql } from 'kysely'
import { type Db, onlyRow } from '#server/platform/database/database.ts'

/* What is to move between us and a yard: steps of the kinds `transfer` and `reverse`, and the transfers that were made. */

export type Move = {
  readonly id: string
  readonly orderId: string
  readonly kind: 'transfer' | 'reverse'
  readonly cents: number
  readonly state: 'wanted' | 'done' | 'failed' | 'void'
  readonly request: {
    /** Of a reversal. */
    readonly transfer?: string
    /** Why it is taken back, for the yard. */
    readonly why?: string
    /** Of a transfer that was sent. */
    readonly account?: string
  }
  readonly problem: string | null
  readonly sentAt: Date | null
  readonly tries: number
  readonly tryAt: Date | null
  readonly createdAt: Date
}

const columns = sql`
  s.id, s.order_id as "orderId", s.kind, s.amount_cents::float8 as cents, s.state, s.request, s.problem,
  s.sent_at as "sentAt", s.tries, s.try_at as "tryAt", s.created_at as "createdAt"`

/** Steps `s` that move money between us and a yard. */
export const isMove = sql`s.kind in ('transfer', 'reverse')`

export async function listMoves(db: Db, orderIds: readonly string[]): Promise<Move[]> {
  const { rows } = await sql<Move>`
    select ${columns} from order_step s where s.order_id = any(${[...orderIds]}::uuid[]) and ${isMove} order by s.id
  `.execute(db)
  return rows
}

export async function listDueMoves(db: Db, now: Date, limit: number): Promise<Move[]> {
  const { rows } = await sql<Move>`
    select ${columns} from order_step s
    where s.state = 'wanted' and ${isMove} and s.try_at <= ${now} order by s.try_at limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Reads a step that is still wanted, under its order's lock. */
export async function findWantedMove(trx: Db, id: string): Promise<Move | undefined> {
  const { rows } = await sql<Move>`
    select ${columns} from order_step s where s.id = ${id} and s.state = 'wanted'`.execute(trx)
  return rows[0]
}

type NewMove = Pick<Move, 'orderId' | 'kind' | 'cents' | 'request'> & {
  now: Date
  /** `void` for what is booked without a call of the provider. */
  state?: 'wanted' | 'void'
}

export async function insertMove(trx: Db, move: NewMove): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into order_step (order_id, kind, amount_cents, request, state, try_at, created_at)
    values (${move.orderId}, ${move.kind}, ${move.cents}, ${JSON.stringify(move.request)}::jsonb,
            ${move.state ?? 'wanted'}, ${move.now}, ${move.now})
    returning id`.execute(trx)
  return onlyRow(rows).id
}

/* Transfers. */

export type Transfer = {
  readonly id: string
  readonly orderId: string
  readonly cents: number
  readonly reversedCents: number
  readonly madeAt: Date
}

/** Newest first. */
export async function listTransfers(db: Db, orderIds: readonly string[]): Promise<Transfer[]> {
  const { rows } = await sql<Transfer>`
    select id, order_id as "orderId", cents::float8 as cents, reversed_cents::float8 as "reversedCents",
           made_at as "madeAt"
    from order_transfer where order_id = any(${[...orderIds]}::uuid[]) order by made_at desc, id`.execute(db)
  return rows
}

/** What reached the yard of these transfers and was not taken back. */
export const transferredCents = (transfers: readonly Transfer[]): number =>
  transfers.reduce((sum, { cents, reversedCents }) => sum + cents - reversedCents, 0)
