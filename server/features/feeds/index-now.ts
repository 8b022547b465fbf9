import { sql } from 'kysely'
import { z } from 'zod'
import { partPath } from '#contract/pages/site-paths.ts'
import { otherRoutes } from '#contract/routes.ts'
import type { Db } from '#server/platform/database/database.ts'
import { GiveUp, type JobQueue, type JobRun } from '#server/platform/jobs/job-definition.ts'
import type { GuardedFetch } from '#server/platform/net/guarded-fetch.ts'

/*
 * Sends the addresses of new, changed and ended parts to IndexNow, which passes them on to the search engines that take part.
 * A ping is only a hint to read the page again, so one that is sent twice, or never, does no harm: the sitemap has
 * everything.
 */

/** The key is public: it is served, which proves that whoever sends addresses may write to the site. */
export type IndexNow = { readonly key: string; readonly perMinute: number }

const [, KEY_PATH] = otherRoutes.indexNowKey

/** Enqueued every minute that has something to tell. */
export const indexNowQueue: JobQueue<Record<string, never>> = {
  name: 'index-now',
  title: 'Tell search engines about changed parts',
  payload: z.object({}).strict(),
  // With doubling pauses, about four hours.
  maxAttempts: 8,
  retryDelaySeconds: 60,
  resumable: true,
  timeoutSeconds: 120,
  concurrency: 1,
}

// Longer than transactions that write listings take: what they wrote appears with the time of their beginning.
const SETTLED_MS = 2 * 60_000
// After a longer pause, search engines find the rest by the sitemap.
const OLDEST_MS = 24 * 3_600_000

type Window = { readonly since: Date; readonly until: Date; readonly afterListing: string | null }

/** The changes to tell next; undefined before the first run, which begins with the changes after it. */
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

/** Whether there is anything to tell, or to begin. */
export async function hasNews(db: Db): Promise<boolean> {
  const window = await readWindow(db, new Date())
  return window === undefined || (await listChanged(db, window, 1)).length > 0
}

type Changed = { readonly id: string; readonly slug: string }

/** The first listings of a window that are new and public, or changed, by id. */
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

/** The lowest id that is given at this time: ids begin with their milliseconds. */
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
  /** For tests. */
  endpoint?: string
}

/**
 * Sends the next addresses, at most as many as a minute may have.
 * @throws GiveUp if the key or the addresses were refused; any other failure is tried again later, from the same place
 */
export async function tellChanges(
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
