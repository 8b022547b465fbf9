import { type RawBuilder, sql } from 'kysely'
import type { DataVersion } from '#server/platform/data-scope.ts'
import { type Db, HIGHEST_ID, onlyRow } from '#server/platform/database/database.ts'
import { openSharedReads, type Reads } from '#server/platform/database/reads.ts'
import { tallyOf } from './tally.ts'

/*
 * How often anything of a part type was changed. A page that shows a few part types is right until one of those changes,
 * whatever else is written (docs/decisions/0116).
 */

/** The part type of what belongs to all of them, such as a name (migration 0121). */
const OF_ALL = HIGHEST_ID

/** The section of what is known of part numbers: statements and what became of bought parts (migration 0151). */
export const OF_NUMBERS = ['eeeeeeee-eeee-eeee-eeee-eeeeeeeeeeee']
/** The sections of what belongs to all part types, such as names. */
export const OF_NAMES: readonly string[] = []

type Versions = Readonly<Record<string, number>>
type Read = { writes: number; changes: number; versions: Versions | null }

const changesOf = (where: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select category_id, writes from part_type_version where ${where}
  union all select category_id, writes from part_type_change where ${where}`

/** The version of what belongs to all part types, as a select of one value. */
export const versionOfAll: RawBuilder<number> = sql<number>`
  (select coalesce(sum(writes), 0)::float8 from (${changesOf(sql`category_id = ${OF_ALL}`)}) noted)`

// Every read of a new version adds up what is not folded yet.
const FOLD_ABOVE = 500

/**
 * Reads the version of the data. The versions of all part types, some hundreds, are read again only after a change.
 * @param fold is called when many changes are to be folded
 */
export function openDataVersions(reads: Reads, fold: () => void): () => Promise<DataVersion> {
  const share = openSharedReads()
  let known: { writes: number; version: DataVersion } | undefined
  const read = async (): Promise<DataVersion> => {
    const { writes, changes, versions } = await reads((from) => readVersions(from, known?.writes))
    if (changes > FOLD_ABOVE) fold()
    if (!versions) return known?.version ?? read()
    const version = { of: versionIn(versions, writes) }
    known = { writes, version }
    return version
  }
  return () => share('version', read)
}

/** Versions only grow, so that the sum is another whenever one of them is. */
function versionIn(versions: Versions, writes: number): DataVersion['of'] {
  return (sections) => {
    if (!sections) return String(writes)
    const ofSections = [...sections].reduce((sum, id) => sum + (versions[id] ?? 0), versions[OF_ALL] ?? 0)
    return `of ${ofSections}`
  }
}

/** `versions` is null if nothing was written since `known`. */
async function readVersions(db: Db, known: number | undefined): Promise<Read> {
  const { rows } = await sql<Read>`/* prepared */
    select tally.writes, (select count(*)::int from part_type_change) as changes,
           case when tally.writes is distinct from ${known ?? null}::bigint then
             (select coalesce(jsonb_object_agg(category_id, writes), '{}')
              from (select category_id, sum(writes) as writes from (${changesOf(sql`true`)}) noted group by 1) summed)
           end as versions
    from (${tallyOf(undefined)}) tally
  `.execute(db)
  return onlyRow(rows)
}

// Limits one statement, no matter how long ago the last fold was.
const FOLDED_AT_ONCE = 5_000

/** Folds changes into the versions. Two at once share the rows; only they ever lock a version, in the order of its key. */
export async function foldPartTypeChanges(db: Db): Promise<void> {
  await sql`
    with taken as (
      delete from part_type_change where ctid = any(array(
        select ctid from part_type_change limit ${FOLDED_AT_ONCE} for update skip locked
      ))
      returning *
    )
    insert into part_type_version as v (category_id, writes)
    select category_id, sum(writes) from taken group by 1 order by 1
    on conflict (category_id) do update set writes = v.writes + excluded.writes
  `.execute(db)
}
