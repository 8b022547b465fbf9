import { type RawBuilder, sql } from 'kysely'
import { type JobStatus, jobStatuses } from '#contract/admin/automation.ts'
import { type Db, HIGHEST_ID, LOWEST_ID } from '#server/platform/database/database.ts'
import { likePart, likeText } from '#server/platform/database/quoted-text.ts'
import { BULK_QUEUE } from './automation-queues.ts'

/** Which jobs. An empty list means all. */
export type JobFilter = { queues: string[]; statuses: JobStatus[]; words: string }

type TypedFilter = { queue?: string | undefined; status?: string | undefined; search?: string | undefined }

/** Parses a filter from query text, or returns a message about an unknown status. An unknown queue matches nothing. */
export function readJobFilter({ queue, status, search }: TypedFilter): JobFilter | string {
  const statuses = listed(status)
  const known = statuses.filter(isStatus)
  const unknown = statuses.filter((word) => !isStatus(word))
  if (unknown.length > 0) {
    return `There is no status ${unknown.join(', ')}. A status is one of: ${jobStatuses.join(', ')}`
  }
  return { queues: listed(queue), statuses: known, words: search?.trim() ?? '' }
}

const isStatus = (word: string): word is JobStatus => (jobStatuses as readonly string[]).includes(word)

/** "a, b,,a" → a, b */
function listed(text = ''): string[] {
  const names = text.split(',').map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}

/** Exclusive at both ends. */
type IdRange = { above: string; below: string }
export const everyId: IdRange = { above: LOWEST_ID, below: HIGHEST_ID }

/** The range of ids that start with this text (inclusive), or undefined if it does not look like the start of an id. */
export function idsBeginningWith(text: string): { first: string; last: string } | undefined {
  const typed = text.toLowerCase()
  // The first 8 characters of an id encode its minute. Anything shorter is as likely to be a number.
  if (typed.length < 8 || typed.length > LOWEST_ID.length) return undefined
  const fits = [...typed].every((character, index) =>
    LOWEST_ID[index] === '-' ? character === '-' : /[\da-f]/.test(character),
  )
  if (!fits) return undefined
  return { first: typed + LOWEST_ID.slice(typed.length), last: typed + HIGHEST_ID.slice(typed.length) }
}

/** A filter without its words, optionally limited to a range of ids or to jobs that a bulk action applies to. */
export type Choice = Pick<JobFilter, 'queues' | 'statuses'> & {
  among?: { first: string; last: string }
  toRepeat?: boolean
  exceptBulk?: boolean
}

type Walk = { range: IdRange; oldestFirst: boolean; limit: number }

/**
 * Lists job ids in order. Each queue and status gets its own index scan that reads no more than one page. With one
 * condition for several queues and statuses the planner would sort all matches or scan the whole table: over 500 ms for
 * 1,000,000 jobs instead of a few milliseconds.
 */
async function listJobIds(db: Db, choice: Choice, walk: Walk): Promise<string[]> {
  const order = walk.oldestFirst ? sql`asc` : sql`desc`
  const { rows } = await sql<{ id: string }>`
    select id from (${scansOf(choice, walk)}) job order by id ${order} limit ${walk.limit}`.execute(db)
  return rows.map(({ id }) => id)
}

function scansOf(
  { queues, statuses, ...further }: Choice,
  { range, oldestFirst, limit }: Walk,
): RawBuilder<unknown> {
  const order = oldestFirst ? sql`asc` : sql`desc`
  const within = sql`id > ${range.above} and id < ${range.below} ${conditionsOf(further)} order by id ${order} limit ${limit}`
  if (queues.length > 0) {
    const known = statuses.length > 0 ? statuses : jobStatuses
    return sql`
      select found.id from unnest(${queues}::text[]) as q(queue) cross join unnest(${known}::text[]) as s(status)
      cross join lateral (
        select id from job where queue = q.queue and status = s.status and ${within}
      ) found`
  }
  if (statuses.length > 0) {
    return sql`
      select found.id from unnest(${statuses}::text[]) as s(status)
      cross join lateral (select id from job where status = s.status and ${within}) found`
  }
  return sql`select id from job where ${within}`
}

/** A bulk action never includes itself or another one: it would wait for its own end. */
function conditionsOf({
  among,
  toRepeat,
  exceptBulk,
}: Omit<Choice, 'queues' | 'statuses'>): RawBuilder<unknown> {
  const named = among ? sql`and id >= ${among.first} and id <= ${among.last}` : sql``
  const notBulk = exceptBulk ? sql`and queue <> ${BULK_QUEUE}` : sql``
  const unrepeated = toRepeat ? sql`and not exists (select from job r where r.retry_of = job.id)` : sql``
  return sql`${named} ${notBulk} ${unrepeated}`
}

export async function countJobs(db: Db, choice: Choice, range: IdRange): Promise<number> {
  const { queues, statuses, ...further } = choice
  const inQueues = queues.length > 0 ? sql`and queue = any(${queues}::text[])` : sql``
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from job
    where status = any(${statuses}::text[]) ${inQueues} and id > ${range.above} and id < ${range.below}
      ${conditionsOf(further)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** A job under search: whether its record contains the words, and how many events its log may have. */
type SearchedJob = { id: string; createdAt: Date; isHit: boolean; events: number }

/** Searches the records of these jobs in the order of the ids; `searchLines` searches their logs. */
async function searchRecords(db: Db, ids: readonly string[], words: string): Promise<SearchedJob[]> {
  const part = likePart(words)
  const { rows } = await sql<SearchedJob>`
    select id, created_at as "createdAt", last_seq as events,
           id::text like ${`${likeText(words.toLowerCase())}%`} or queue ilike ${part} or script_id ilike ${part}
             or payload::text ilike ${part} or coalesce(error, '') ilike ${part} as "isHit"
    from unnest(${ids}::uuid[]) with ordinality as wanted(id, place) join job using (id) order by place`.execute(
    db,
  )
  return rows
}

/** Returns those of these jobs that have the words in a log line. */
async function searchLines(db: Db, ids: readonly string[], words: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from job
    where id = any(${ids}::uuid[]) and exists (
      select from job_event e
      where e.job_id = job.id and e.at >= job.created_at - interval '1 hour' and e.kind in ('log', 'error')
        and e.message ilike ${likePart(words)}
    )`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export type JobSearch = {
  choice: Choice
  words: string
  walk: Walk
  /** When to stop searching for words and return what was found (`performance.now()`). */
  until: number
}

export type FoundJobs = {
  ids: string[]
  /** The id after which the search continues; null at the end. */
  nextCursor: string | null
  /** When the last searched job was created. */
  searchedBackTo: Date | null
}

/**
 * Finds jobs in the order of `walk`. A search for words goes batch by batch so that no statement runs long and a search
 * through millions of jobs returns in time: it may return fewer jobs than the limit, even none, with a cursor to continue.
 */
export async function findJobs(db: Db, search: JobSearch): Promise<FoundJobs> {
  const { choice, words, walk } = search
  if (words === '') return onePage(await listJobIds(db, choice, oneMore(walk)), walk.limit)
  const named = await findById(db, search)
  if (named) return onePage(named, walk.limit)
  return searchByWords(db, search)
}

const oneMore = (walk: Walk): Walk => ({ ...walk, limit: walk.limit + 1 })

function onePage(ids: readonly string[], limit: number): FoundJobs {
  const shown = ids.slice(0, limit)
  return { ids: shown, nextCursor: ids.length > limit ? (shown.at(-1) ?? null) : null, searchedBackTo: null }
}

/** Typing an id means that job, not one whose log mentions it. Logs are searched only if no job has the id. */
async function findById(db: Db, { choice, words, walk }: JobSearch): Promise<string[] | undefined> {
  const among = idsBeginningWith(words)
  if (!among) return undefined
  const named = { ...choice, among }
  const [any] = await listJobIds(db, named, { ...walk, range: everyId, limit: 1 })
  return any === undefined ? undefined : listJobIds(db, named, oneMore(walk))
}

async function searchByWords(db: Db, search: JobSearch): Promise<FoundJobs> {
  const ids: string[] = []
  let searchedBackTo: Date | null = null
  for await (const batch of lookThrough(db, search)) {
    for (const { id, createdAt, isHit } of batch) {
      searchedBackTo = createdAt
      if (isHit) ids.push(id)
      if (ids.length === search.walk.limit) return { ids, nextCursor: id, searchedBackTo }
    }
    if (performance.now() > search.until) return { ids, nextCursor: batch.at(-1)?.id ?? null, searchedBackTo }
  }
  return { ids, nextCursor: null, searchedBackTo }
}

const RECORDS_PER_QUERY = 500

/** Yields all jobs of the choice in order, each with whether it contains the words. */
async function* lookThrough(db: Db, { choice, words, walk }: JobSearch): AsyncGenerator<SearchedJob[]> {
  let { range } = walk
  for (;;) {
    const ids = await listJobIds(db, choice, { ...walk, range, limit: RECORDS_PER_QUERY })
    for (const batch of inBatches(await searchRecords(db, ids, words))) {
      yield await withLines(db, batch, words)
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < RECORDS_PER_QUERY) return
    range = walk.oldestFirst ? { ...range, above: last } : { ...range, below: last }
  }
}

// Searching 50,000 lines of average length takes about 50 ms; a single job may have more.
const LINES_PER_QUERY = 50_000

/** Groups jobs so that one query searches at most LINES_PER_QUERY log lines, or a single job. */
function* inBatches(jobs: readonly SearchedJob[]): Generator<SearchedJob[]> {
  let batch: SearchedJob[] = []
  let lines = 0
  for (const job of jobs) {
    if (batch.length > 0 && lines + job.events > LINES_PER_QUERY) {
      yield batch
      batch = []
      lines = 0
    }
    batch.push(job)
    lines += job.isHit ? 0 : job.events
  }
  if (batch.length > 0) yield batch
}

async function withLines(db: Db, batch: SearchedJob[], words: string): Promise<SearchedJob[]> {
  const others = batch.filter(({ isHit, events }) => !isHit && events > 0).map(({ id }) => id)
  if (others.length === 0) return batch
  const hits = await searchLines(db, others, words)
  return batch.map((job) => ({ ...job, isHit: job.isHit || hits.has(job.id) }))
}
