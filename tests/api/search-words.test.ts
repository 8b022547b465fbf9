import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EmptySearch, SearchWord } from '#contract/search/search-words.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let admin: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
})

type Page<Item> = { items: Item[]; total: number; page: number; perPage: number }

const find = async (query: Record<string, string>) =>
  (await admin.api.get<Page<SearchWord>>(`/admin/search/words?${new URLSearchParams(query)}`)).body
const written = async (q: string) =>
  (await find({ q })).items.map(({ word, kind, means }) => `${word} = ${kind} ${means}`.trim())
const add = (body: object) => admin.api.post<SearchWord>('/admin/search/words', body)
const audited = async () =>
  (await sql<{ action: string }>`select action from audit_entry order by id desc limit 1`.execute(app.db))
    .rows[0]?.action

describe('GET /admin/search/words', () => {
  test('finds words by themselves, by what they mean and by kind, page by page', async () => {
    expect(await written('altern')).toContain('generator = part Alternator')
    expect((await find({ q: 'altern', kind: 'skip' })).items).toEqual([])
    const all = await find({ perPage: '20' })
    expect(all).toMatchObject({ page: 1, perPage: 20 })
    expect(all.items).toHaveLength(20)
    expect(all.total).toBeGreaterThan(500)
    const next = await find({ perPage: '20', page: '2' })
    expect(next.items.map(({ id }) => id)).not.toContain(all.items[0]?.id)
    expect((await find({ q: '100%_' })).items).toEqual([])
  })
})

describe('POST /admin/search/words', () => {
  test('adds a word, once', async () => {
    const { status, body } = await add({
      word: ' Glim lamp ',
      kind: 'part',
      means: 'Headlamp Assembly; Fog Lamp',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ word: 'Glim lamp', kind: 'part', means: 'Headlamp Assembly; Fog Lamp' })
    expect(await written('glim')).toEqual(['Glim lamp = part Headlamp Assembly; Fog Lamp'])
    expect(await audited()).toBe('search-word-added')
    const again = await add({ word: 'glimlamp', kind: 'skip' })
    expect(again).toMatchObject({
      status: 409,
      body: { error: '“glimlamp” is already in the list. Remove it first.' },
    })
  })

  test.each([
    [{ word: '', kind: 'part', means: 'Hood' }, 'word'],
    [{ word: 'lid', kind: 'panel', means: 'Hood' }, 'kind'],
    [{ word: 'lid', kind: 'part', means: 'Lid' }, 'means'],
    [{ word: 'lid', kind: 'part', means: '' }, 'means'],
    [{ word: 'lid', kind: 'make', means: 'Nobody' }, 'means'],
    [{ word: 'lid', kind: 'model', means: 'Mustang' }, 'means'],
    [{ word: 'lid', kind: 'side', means: 'above' }, 'means'],
    [{ word: 'lid', kind: 'same', means: '' }, 'means'],
  ])('refuses %j, naming the %s', async (body, field) => {
    const refused = await add(body)
    expect(refused).toMatchObject({ status: 422, body: { fields: { [field]: expect.any(String) } } })
    expect((await find({ q: 'lid' })).items.map(({ word }) => word)).not.toContain('lid')
  })
})

describe('PUT and DELETE /admin/search/words/{id}', () => {
  test('change a word and remove it', async () => {
    const { id } = (await add({ word: 'frunk', kind: 'part', means: 'Hood' })).body
    const changed = await admin.api.put<SearchWord>(`/admin/search/words/${id}`, {
      word: 'frunk lid',
      kind: 'part',
      means: 'Trunk Lid',
    })
    expect(changed).toMatchObject({ status: 200, body: { word: 'frunk lid', means: 'Trunk Lid' } })
    expect(await written('frunk')).toEqual(['frunk lid = part Trunk Lid'])
    const wrong = { word: 'frunk', kind: 'part', means: 'Nothing' }
    expect((await admin.api.put(`/admin/search/words/${changed.body.id}`, wrong)).status).toBe(422)
    expect(await written('frunk')).toEqual(['frunk lid = part Trunk Lid'])
    expect((await admin.api.delete(`/admin/search/words/${changed.body.id}`)).status).toBe(200)
    expect(await audited()).toBe('search-word-removed')
    expect(await written('frunk')).toEqual([])
    expect((await admin.api.delete(`/admin/search/words/${id}`)).status).toBe(404)
    expect((await admin.api.put(`/admin/search/words/${id}`, { ...wrong, means: 'Hood' })).status).toBe(404)
  })
})

describe('searches without a result', () => {
  const listed = async () =>
    (await admin.api.get<Page<EmptySearch>>('/admin/search/empty-searches')).body.items.map(
      ({ words, times }) => `${words} ${times}`,
    )

  beforeEach(async () => {
    await sql`delete from empty_search`.execute(app.db)
    await sql`
      insert into empty_search (words, times, last_at)
      values ('blinker fluid', 3, now()), ('flux capacitor', 9, now()), ('muffler bearing', 3, now() - interval '1 day')
    `.execute(app.db)
  })

  test('are listed with the most frequent first, then the last', async () => {
    expect(await listed()).toEqual(['flux capacitor 9', 'blinker fluid 3', 'muffler bearing 3'])
  })

  test('leave the list when a word explains them, but not when it is refused', async () => {
    const word = { word: 'blinker fluid', kind: 'part', emptySearch: 'blinker fluid' }
    expect((await add({ ...word, means: 'Fluid' })).status).toBe(422)
    expect(await listed()).toHaveLength(3)
    expect((await add({ ...word, means: 'Turn Signal Lamp' })).status).toBe(201)
    expect(await listed()).toEqual(['flux capacitor 9', 'muffler bearing 3'])
  })

  test('leave the list when they are dismissed', async () => {
    const dismiss = (words: string) => admin.api.post('/admin/search/empty-searches/dismiss', { words })
    expect((await dismiss('flux capacitor')).status).toBe(200)
    expect(await listed()).toEqual(['blinker fluid 3', 'muffler bearing 3'])
    expect(await audited()).toBe('empty-search-dismissed')
    expect((await dismiss('flux capacitor')).status).toBe(404)
    expect((await dismiss('')).status).toBe(422)
  })
})
