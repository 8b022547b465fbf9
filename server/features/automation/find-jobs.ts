import type { Db } from '#server/platform/database/database.ts'
import { everyId, idsBeginningWith } from './job-filter.ts'
import {
  type Choice,
  listJobIds,
  type SearchedJob,
  searchLines,
  searchRecords,
  type Walk,
} from './job-list-queries.ts'

export type JobSearch = {
  choice: Choice
  words: string
  walk: Walk
  /** Words are looked for until then (`performance.now()`); what is found by then is answered. */
  until: number
}

export type FoundJobs = {
  ids: string[]
  /** Behind which it goes on; null at the end. */
  lookedTo: string | null
  /** When the last job was made that was looked through for words. */
  searchedBackTo: Date | null
}

/**
 * Jobs of a choice in the order of a walk. Words are looked for stretch by stretch, so that no statement is long and a
 * search through millions answers in time: it may find fewer than asked for, even none, and lead on.
 */
export async function findJobs(db: Db, search: JobSearch): Promise<FoundJobs> {
  const { choice, words, walk } = search
  if (words === '') return onePage(await listJobIds(db, choice, oneMore(walk)), walk.limit)
  const named = await findById(db, search)
  if (named) return onePage(named, walk.limit)
  return searchOnwards(db, search)
}

const oneMore = (walk: Walk): Walk => ({ ...walk, limit: walk.limit + 1 })

function onePage(ids: readonly string[], limit: number): FoundJobs {
  const shown = ids.slice(0, limit)
  return { ids: shown, lookedTo: ids.length > limit ? (shown.at(-1) ?? null) : null, searchedBackTo: null }
}

/** Whoever types an id means that job, and not one whose log names it; only where there is none are logs looked through. */
async function findById(db: Db, { choice, words, walk }: JobSearch): Promise<string[] | undefined> {
  const among = idsBeginningWith(words)
  if (!among) return undefined
  const named = { ...choice, among }
  const [any] = await listJobIds(db, named, { ...walk, range: everyId, limit: 1 })
  return any === undefined ? undefined : listJobIds(db, named, oneMore(walk))
}

async function searchOnwards(db: Db, search: JobSearch): Promise<FoundJobs> {
  const ids: string[] = []
  let searchedBackTo: Date | null = null
  for await (const batch of lookThrough(db, search)) {
    for (const { id, createdAt, isHit } of batch) {
      searchedBackTo = createdAt
      if (isHit) ids.push(id)
      if (ids.length === search.walk.limit) return { ids, lookedTo: id, searchedBackTo }
    }
    if (performance.now() > search.until) return { ids, lookedTo: batch.at(-1)?.id ?? null, searchedBackTo }
  }
  return { ids, lookedTo: null, searchedBackTo }
}

const STRETCH = 500

/** All jobs of the choice in their order, each with whether it has the words. */
async function* lookThrough(db: Db, { choice, words, walk }: JobSearch): AsyncGenerator<SearchedJob[]> {
  let { range } = walk
  for (;;) {
    const stretch = await listJobIds(db, choice, { ...walk, range, limit: STRETCH })
    for (const batch of inBatches(await searchRecords(db, stretch, words))) {
      yield await withLines(db, batch, words)
    }
    const last = stretch.at(-1)
    if (last === undefined || stretch.length < STRETCH) return
    range = walk.oldestFirst ? { ...range, above: last } : { ...range, below: last }
  }
}

// 50,000 lines of usual length are looked through in about 50 ms; a single job may have more.
const LINES_A_LOOK = 50_000

/** Pieces with so many lines of log as can be looked through at once. */
function* inBatches(jobs: readonly SearchedJob[]): Generator<SearchedJob[]> {
  let batch: SearchedJob[] = []
  let lines = 0
  for (const job of jobs) {
    if (batch.length > 0 && lines + job.events > LINES_A_LOOK) {
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
