import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

export type NewEvent = { id: string; type: string; subject: string | null }

/** False where this event came before. A second delivery at the same moment waits here until the first is stored. */
export async function insertEvent(trx: Db, { id, type, subject }: NewEvent): Promise<boolean> {
  const { rows } = await sql`
    insert into stripe_event (id, type, subject, handled_at)
    values (${id}, ${type}, ${subject}, case when ${subject}::text is null then now() end)
    on conflict (id) do nothing
    returning id`.execute(trx)
  return rows.length > 0
}

export async function markEventHandled(db: Db, id: string): Promise<void> {
  await sql`update stripe_event set handled_at = now() where id = ${id} and handled_at is null`.execute(db)
}
