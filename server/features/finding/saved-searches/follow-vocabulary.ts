import { sql } from 'kysely'
import type { ReadPartsQuery } from '#server/features/finding/search/query/reading.ts'
import { readWordsVersion } from '#server/features/finding/vocabulary/vocabulary.ts'
import { type Db, LOWEST_ID, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { allSettledOrThrow, inSlices } from '#server/platform/processes/concurrency.ts'
import { type Conditions, readConditions } from './conditions.ts'
import { setKeys } from './saved-searches.ts'

/*
 * A saved search must find what the list finds for its query. When the meaning of words changes (part types are merged,
 * a model joins a family, an administrator adds a word, a release reads them in another way), all saved queries are interpreted again.
 */

// An import can add names for minutes, and reinterpreting 100,000 queries takes a minute. To use at most a tenth of the
// time, the next run then waits 10 minutes; with few searches there is no wait.
const WAIT_MS_PER_SEARCH = 6
const PAGE = 500
// Each query waits for the database a few times; higher concurrency would take connections from other jobs.
const AT_ONCE = 8

// Raise it when the same words are stored as other conditions, so that what earlier versions stored is read again.
const FORMAT = 2

type Deps = { db: Db; ask: ReadPartsQuery; now: () => Date }

/** The job features that matching uses. */
export type MatchRun = Pick<JobRun<unknown>, 'signal' | 'withFence' | 'progress'>

/** Reinterprets all saved searches if a name or word changed; returns false if it is too early for that. */
export async function followVocabulary({ db, ask, now }: Deps, run: MatchRun): Promise<boolean> {
  const version = `${await readWordsVersion(db)} ${FORMAT}`
  const { rows } = await sql<{ version: string; readAt: Date; searches: number }>`
    select version, read_at as "readAt", (select count(*)::int from saved_search) as searches from saved_search_reading
  `.execute(db)
  const [last] = rows
  if (last?.version === version) return true
  if (last && now().getTime() - last.readAt.getTime() < WAIT_MS_PER_SEARCH * last.searches) return false
  for (let after: string | undefined = LOWEST_ID; after !== undefined; ) {
    run.signal.throwIfAborted()
    after = await readPageAgain({ db, ask }, run, after)
  }
  await sql`
    insert into saved_search_reading (version, read_at) values (${version}, ${now()})
    on conflict (id) do update set version = excluded.version, read_at = excluded.read_at
  `.execute(db)
  return true
}

type Query = { id: string; query: string }
type ReadQuery = { id: string; conditions: Conditions }

/** Returns undefined if the query no longer means anything; it then keeps its old conditions. */
async function readAgain(db: Db, ask: ReadPartsQuery, { id, query }: Query): Promise<ReadQuery | undefined> {
  try {
    const conditions = await readConditions(db, ask, query)
    return conditions.problem === undefined ? { id, conditions } : undefined
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** Returns the id of the page's last search; undefined after the last page. */
async function readPageAgain(
  { db, ask }: Omit<Deps, 'now'>,
  run: MatchRun,
  after: string,
): Promise<string | undefined> {
  const { rows } = await sql<Query>`
    select id, query from saved_search where id > ${after} order by id limit ${PAGE}
  `.execute(db)
  const read: ReadQuery[] = []
  for await (const some of inSlices(rows, AT_ONCE)) {
    const all = await allSettledOrThrow(some.map((search) => readAgain(db, ask, search)))
    read.push(...all.filter((search) => search !== undefined))
  }
  if (read.length > 0) await run.withFence((trx) => writeConditions(trx, read))
  return rows.length < PAGE ? undefined : rows.at(-1)?.id
}

/** Writes the conditions that changed. */
async function writeConditions(trx: Db, read: readonly ReadQuery[]): Promise<void> {
  const rows = read.map(({ id, conditions }) => ({ id, ...conditions.columns }))
  const columns = Object.keys(onlyRow(rows.slice(0, 1))).filter((name) => name !== 'id')
  const both = (table: string) => sql.join(columns.map((name) => sql`${sql.ref(`${table}.${name}`)}::text`))
  const { rows: changed } = await sql<{ id: string }>`
    update saved_search s set ${sql.join(columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`n.${name}`)}`))}
    from jsonb_populate_recordset(null::saved_search, ${JSON.stringify(rows)}::jsonb) n
    where s.id = n.id and (${both('s')}) is distinct from (${both('n')})
    returning s.id
  `.execute(trx)
  const ids = new Set(changed.map(({ id }) => id))
  const keyed = read
    .filter(({ id }) => ids.has(id))
    .map(({ id, conditions }) => ({ id, keys: conditions.keys }))
  if (keyed.length > 0) await setKeys(trx, keyed)
}
