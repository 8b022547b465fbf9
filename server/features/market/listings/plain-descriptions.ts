import { sql } from 'kysely'
import { plainDescription } from '#contract/text/description.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import type { Db } from '#server/platform/database/database.ts'
import { changeListings, diffColumns, lockListings } from './write-queries.ts'

/*
 * Listings from before descriptions were plain text still contain HTML, which buyers see as tags. Once per database,
 * this converts each to the text its HTML shows, with a history entry. Each page commits separately, so an interrupted
 * run simply continues with the rest.
 */

// Rows are locked for as long as a page takes: half a second.
const LISTINGS_A_PAGE = 1_000

/** Returns how many listings changed; 0 if this database was already converted. */
export async function makeDescriptionsPlain(db: Db): Promise<number> {
  const known = await sql`select from loaded_data where name = 'plain descriptions'`.execute(db)
  if (known.rows.length > 0) return 0
  let changed = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const ids = await listMarkedUp(db, after)
    const last = ids.at(-1)
    if (last === undefined) break
    changed += await makePagePlain(db, ids)
    after = last
  }
  await sql`
    insert into loaded_data (name, sha256) values ('plain descriptions', '') on conflict do nothing
  `.execute(db)
  return changed
}

/** Lists listings whose text has a tag or an escape, and so may be HTML. */
async function listMarkedUp(db: Db, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from listing
    where id > ${after} and deleted_at is null and (description ~ '[<&]' or damage ~ '[<&]')
    order by id limit ${LISTINGS_A_PAGE}
  `.execute(db)
  return rows.map(({ id }) => id)
}

function makePagePlain(db: Db, ids: readonly string[]): Promise<number> {
  return withChangeSet(
    db,
    { actorKind: 'system', reason: 'plain descriptions' },
    async (trx, changeSetId) => {
      const changes = [...(await lockListings(trx, ids)).values()].flatMap((before) => {
        const { description, damage } = before
        const plain = {
          description: plainDescription(description),
          damage: damage && plainDescription(damage),
        }
        const columns = diffColumns(before, plain)
        return Object.keys(columns).length > 0 ? [{ before, columns }] : []
      })
      await changeListings(trx, changes, changeSetId)
      return changes.length
    },
  )
}
