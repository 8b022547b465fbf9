import { describe, expect, test } from 'vitest'
import type { Job } from '#contract/admin/automation.ts'
import { everyId, findJobs } from '#server/features/running/automation/find-jobs.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp({ PAYMENTS: 'off' })
const { db } = app
const { api } = await app.signUp({ role: 'admin' })

/** More than two batches; every 97th has the words in its payload, every 101st in a log line. */
const ids: string[] = []
const hits: string[] = []
for (let n = 0; n < 1_203; n += 1) {
  const payload = JSON.stringify({ said: n % 97 === 0 ? 'the needle' : 'hay' })
  const row = { queue: 'preprocess', status: n % 2 ? 'failed' : 'completed', payload, last_seq: 1 }
  const { id } = await db.insertInto('job').values(row).returning('id').executeTakeFirstOrThrow()
  ids.push(id)
  if (n % 97 === 0 || n % 101 === 0) hits.push(id)
  const message = n % 101 === 0 ? 'found THE needle here' : 'hay'
  await db
    .insertInto('job_event')
    .values({ job_id: id, seq: 1, kind: 'log', stream: 'stdout', message })
    .execute()
}

type Walk = { oldestFirst: boolean; limit: number; until: number; words?: string }

/** Follows the pages to the end. */
async function walk({ oldestFirst, limit, until, words = 'the needle' }: Walk) {
  const found: string[] = []
  let pages = 0
  let range = everyId
  for (;;) {
    const choice = { queues: [], statuses: [] }
    const page = await findJobs(db, { choice, words, walk: { range, oldestFirst, limit }, until })
    expect(page.ids.length).toBeLessThanOrEqual(limit)
    found.push(...page.ids)
    pages += 1
    if (page.nextCursor === null) return { found, pages }
    range = oldestFirst ? { ...range, above: page.nextCursor } : { ...range, below: page.nextCursor }
  }
}
const LONG = Number.POSITIVE_INFINITY

describe('a search that reads back batch by batch', () => {
  test.each([1, 3, 100])('with %i per page, finds every hit once, newest first', async (limit) => {
    const { found } = await walk({ oldestFirst: false, limit, until: LONG })
    expect(found).toEqual(hits.toReversed())
  })

  test('finds hits oldest first as well', async () => {
    expect((await walk({ oldestFirst: true, limit: 5, until: LONG })).found).toEqual(hits)
  })

  test('returns a cursor when time runs out, and loses no hit', async () => {
    const { found, pages } = await walk({ oldestFirst: false, limit: 100, until: 0 })
    expect(found).toEqual(hits.toReversed())
    expect(pages).toBeGreaterThan(2)
    const nothing = await walk({ oldestFirst: false, limit: 100, until: 0, words: 'no such words' })
    expect(nothing.found).toEqual([])
  })

  test('without words, returns the whole list', async () => {
    const { found } = await walk({ oldestFirst: false, limit: 500, until: 0, words: '' })
    expect(found).toEqual(ids.toReversed())
  })
})

test('the endpoint reports how far back it searched, and its cursor continues from there', async () => {
  type Page = { items: Job[]; pageInfo: { nextCursor: string | null; searchedBackTo: string | null } }
  const read = async (cursor: string | null) => {
    const query = new URLSearchParams({
      search: 'the needle',
      status: 'failed',
      limit: '2',
      ...(cursor && { cursor }),
    })
    return (await api.get<Page>(`/admin/automation/jobs?${query}`)).body
  }
  const found: string[] = []
  let cursor: string | null = null
  do {
    const { items, pageInfo } = await read(cursor)
    found.push(...items.map(({ id }) => id))
    expect(pageInfo.searchedBackTo).toEqual(expect.any(String))
    cursor = pageInfo.nextCursor
  } while (cursor !== null)
  expect(found).toEqual(hits.filter((id) => ids.indexOf(id) % 2 === 1).toReversed())
})
