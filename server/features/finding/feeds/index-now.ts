import { sql } from 'kysely'
import { z } from 'zod'
import { partPath } from '#contract/pages/site-paths.ts'
import { otherRoutes } from '#contract/routes.ts'
import type { Db } from '#server/platform/database/database.ts'
import { GiveUp, type JobQueue, type JobRun } from '#server/platform/jobs/job-definition.ts'
import type { GuardedFetch } from '#server/platform/net/guarded-fetch.ts'

/*
 * Sends the addresses of new, changed and ended parts to IndexNow, which forwards them to participating search engines.
 * A ping is only a hint to reread the page, so a repeated or missing one does no harm: the sitemap has everything.
 */

/** The key is public: serving it proves that the sender of addresses controls the site. */
export type IndexNow = { readonly key: string; readonly perMinute: number }

const [, KEY_PATH] = otherRoutes.indexNowKey

/** Enqueued every minute in which there are changes to send. */
export const indexNowQueue: JobQueue<Record<string, never>> = {
  name: 'index-now',
  title: 'Notify search engines of changed parts',
  payload: z.object({}).strict(),
  // With doubling pauses, about four hours.
  maxAttempts: 8,
  retryDelaySeconds: 60,
  resumable: true,
  timeoutSeconds: 120,
  concurrency: 1,
}

// Longer than any transaction that writes listings: rows become visible later than their timestamp, which is the
// transaction's start.
const SETTLED_MS = 2 * 60_000
// After a longer pause, search engines find older changes through the sitemap.
const OLDEST_MS = 24 * 3_600_000

type Window = { readonly since: Date; readonly until: Date; readonly afterListing: string | null }

/** The next changes to send; undefined before the first run, which starts with later changes. */
async function readWindow(db: Db, now: Date): Promise<Window | undefined> {
  const { rows } = await sql<{ since: Date; until: Date | null; afterListing: string | null }>`
    select since, until, after_listing as "afterListing" from index_now
  `.execute(db)
  const [state] = rows
  if (!state) return undefined
  const settled = new Date(now.getTime() - SETTLED_MS)
  const oldest = new Date(now.getTime() - OLDEST_MS)
  if (state.since < oldest) return { since: oldest, until: settled, afterListing: null }
  return { ...state, until: state.until ?? settled }
}

/** Whether there are changes to send, or the job has never run. */
export async function hasUnsentChanges(db: Db): Promise<boolean> {
  const window = await readWindow(db, new Date())
  return window === undefined || (await listChanged(db, window, 1)).length > 0
}

type Changed = { readonly id: string; readonly slug: string }

/** Lists the first listings of a window that are new and public, or changed, by id. */
async function listChanged(
  db: Db,
  { since, until, afterListing }: Window,
  most: number,
): Promise<readonly Changed[]> {
  if (until <= since) return []
  const { rows } = await sql<Changed>`
    select id, slug from listing where id > ${afterListing ?? idAt(new Date(0))} and id in (
      select id from listing where id >= ${idAt(since)} and id < ${idAt(until)} and status = 'ACTIVE'
      union all
      select listing_id from listing_change where at >= ${since} and at < ${until}
    )
    order by id limit ${most}
  `.execute(db)
  return rows
}

/** The lowest id of this time: ids begin with a timestamp in milliseconds. */
const idAt = (at: Date): string => {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

const ENDPOINT = 'https://api.indexnow.org/indexnow'

export type IndexNowDeps = {
  db: Db
  web: GuardedFetch
  indexNow: IndexNow
  publicUrl: string
  now: () => Date
  /** Overridden in tests. */
  endpoint?: string
}

/**
 * Sends the next addresses, up to the limit per minute.
 * @throws GiveUp if the key or the addresses were rejected; other failures are retried later from the same position
 */
export async function sendChanges(
  deps: IndexNowDeps,
  run: JobRun<Record<string, never>>,
): Promise<{ sent: number }> {
  const { db, indexNow, now } = deps
  const window = await readWindow(db, now())
  if (!window) {
    await sql`insert into index_now (since) values (${now()}) on conflict do nothing`.execute(db)
    return { sent: 0 }
  }
  const changed = await listChanged(db, window, indexNow.perMinute)
  if (changed.length > 0) await send(deps, changed, run.signal)
  const last = changed.length === indexNow.perMinute ? changed.at(-1)?.id : undefined
  const { since, until } = window
  const next =
    last === undefined
      ? sql`since = greatest(since, ${until}), until = null, after_listing = null`
      : sql`since = ${since}, until = ${until}, after_listing = ${last}`
  await run.withFence((trx) => sql`update index_now set ${next}`.execute(trx))
  return { sent: changed.length }
}

async function send(
  { web, indexNow, publicUrl, endpoint = ENDPOINT }: IndexNowDeps,
  changed: readonly Changed[],
  signal: AbortSignal,
): Promise<void> {
  const status = await web.post(
    endpoint,
    {
      host: new URL(publicUrl).host,
      key: indexNow.key,
      keyLocation: publicUrl + KEY_PATH,
      urlList: changed.map(({ slug }) => publicUrl + partPath(slug)),
    },
    { signal },
  )
  if (status === 200 || status === 202) return
  const reason = `IndexNow returned status ${status}`
  if (status === 429 || status >= 500) throw new Error(reason)
  throw new GiveUp(`${reason}. Check that ${publicUrl}${KEY_PATH} shows INDEXNOW_KEY to everyone.`)
}
