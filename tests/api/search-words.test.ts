import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EmptySearch, SearchWord, WordChange, WordReach } from '#contract/search/search-words.ts'
import { loadTradeWords, readBuiltInWords } from '#server/features/finding/vocabulary/load-words.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { savedSearchesOf } from '#tests/support/saved-searches.ts'
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

describe('GET /admin/search/words/reach', () => {
  const reachOf = async (query: Record<string, string>) =>
    (await admin.api.get<{ items: WordReach[] }>(`/admin/search/words/reach?${new URLSearchParams(query)}`))
      .body.items

  test('counts searches without a result, saved searches and names of parts for sale', async () => {
    const yard = await app.signUp()
    const names = ['Zinger cover left', 'Cover zinger', 'Zingerman cover', 'Cover', 'Zinger cover']
    const ids = await makeStock(app.db, { sellerId: yard.user.sellerId, parts: names.length }, (at) => ({
      name: names[at] ?? '',
      description: at === 3 ? 'fits the zinger cover' : '',
    }))
    await yard.api.delete(`/seller/parts/${ids[4]}`)
    await sql`
      insert into empty_search (words, times, last_at)
      values ('2010 cover zinger', 3, now()), ('cover zinger', 2, now() - interval '31 days'), ('zingers', 5, now())
    `.execute(app.db)
    const { confirmed } = savedSearchesOf(app)
    await confirmed('q=Zinger+cover+2010', { email: 'zinger@garage.example' })
    await confirmed('q=zingerman', { email: 'zingerman@garage.example' })
    const word = 'zinger cover'
    const reach = { word, emptySearches: { count: 3 }, savedSearches: { count: 1 }, parts: { count: 2 } }
    expect(await reachOf({ word })).toEqual([reach])
    const { id } = (await add({ word, kind: 'part', means: 'Hood' })).body
    expect(await reachOf({ ids: id })).toEqual([reach])
    expect(await reachOf({ word: 'zin' })).toMatchObject([
      { parts: { count: 0 }, savedSearches: { count: 0 } },
    ])
    expect(await reachOf({ word: ' ' })).toEqual([])
    expect((await admin.api.get('/admin/search/words/reach?ids=zinger')).status).toBe(400)
  })

  test('stops counting at 1,000', async () => {
    const yard = await app.signUp()
    await makeStock(app.db, { sellerId: yard.user.sellerId, parts: 1_001 }, () => ({ name: 'Manyfold' }))
    expect(await reachOf({ word: 'manyfold' })).toMatchObject([{ parts: { count: 1_000, isAtLeast: true } }])
  })
})

describe('changes of words', () => {
  type Changed = SearchWord & { change: string }
  const words = '/admin/search/words'
  const undo = (change: string) => admin.api.post(`/admin/search/word-changes/${change}/undo`)
  const changes = async () =>
    (await admin.api.get<Page<WordChange>>('/admin/search/word-changes')).body.items.map(
      ({ what, word, means, before, by, canUndo }) => ({ what, word, means, before, by, canUndo }),
    )
  const by = () => admin.person.name

  test('an added word is undone, once', async () => {
    const { body } = await admin.api.post<Changed>(words, { word: 'splork', kind: 'part', means: 'Hood' })
    const added = { what: 'added', word: 'splork', means: 'Hood', before: undefined, by: by() }
    expect((await changes())[0]).toEqual({ ...added, canUndo: true })
    expect((await undo(body.change)).status).toBe(200)
    expect(await written('splork')).toEqual([])
    expect(await audited()).toBe('search-word-undone')
    expect((await changes()).slice(0, 2)).toEqual([
      { ...added, what: 'undone', canUndo: false },
      { ...added, canUndo: false },
    ])
    expect((await undo(body.change)).status).toBe(409)
  })

  test('a changed word is what it was again, unless it was changed since', async () => {
    const { body } = await admin.api.post<Changed>(words, { word: 'splink', kind: 'part', means: 'Hood' })
    const put = (id: string, means: string) =>
      admin.api.put<Changed>(`${words}/${id}`, { word: 'splink lid', kind: 'part', means })
    const changed = await put(body.id, 'Trunk Lid')
    expect((await changes())[0]).toMatchObject({
      what: 'changed',
      word: 'splink lid',
      before: { word: 'splink', kind: 'part', means: 'Hood' },
      canUndo: true,
    })
    expect((await undo(changed.body.change)).status).toBe(200)
    expect(await written('splink')).toEqual(['splink = part Hood'])
    const id = (await find({ q: 'splink' })).items[0]?.id ?? ''
    const second = await put(id, 'Fender')
    await put(second.body.id, 'Trunk Lid')
    expect((await undo(second.body.change)).status).toBe(409)
    expect(await written('splink')).toEqual(['splink lid = part Trunk Lid'])
  })

  test('a removed word comes back, and a built-in one still follows the file', async () => {
    const wordOf = async (word: string) => (await find({ q: word })).items.find((one) => one.word === word)
    for (const word of ['bonnet', 'cv joint']) {
      const former = await wordOf(word)
      const { body } = await admin.api.delete<{ change: string }>(`${words}/${former?.id}`)
      expect(await wordOf(word)).toBeUndefined()
      expect((await undo(body.change)).status).toBe(200)
      expect(await wordOf(word)).toMatchObject({ kind: former?.kind, means: former?.means })
      expect((await undo(body.change)).status).toBe(409)
    }
    const next = readBuiltInWords().map((one) => (one.word === 'bonnet' ? { ...one, means: 'Fender' } : one))
    await loadTradeWords(app.db, next)
    expect(await wordOf('bonnet')).toMatchObject({ means: 'Fender' })
  })

  test('one that is older than a month is not undone', async () => {
    const { body } = await admin.api.post<Changed>(words, { word: 'splonk', kind: 'part', means: 'Hood' })
    await sql`
      insert into audit_entry (id, at, action, target, detail)
      select '0198f0a0-0000-7000-8000-000000000001', at - interval '31 days', action, target, detail
      from audit_entry where id = ${body.change}
    `.execute(app.db)
    expect((await undo('0198f0a0-0000-7000-8000-000000000001')).status).toBe(404)
    expect(await written('splonk')).toEqual(['splonk = part Hood'])
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
