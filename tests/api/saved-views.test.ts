import { expect, test } from 'vitest'
import type { SavedView } from '#contract/account/accounts.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()

const settings = {
  hidden: ['partgrade'],
  order: { column: 'partprice', descending: true },
  rows: 'all',
  filters: { q: 'alternator', status: 'HIDDEN' },
}

test('views belong to a person and a grid; the same name replaces one', async () => {
  const [ada, bob] = [await app.signUp(), await app.signUp()]
  const save = (name: string, part = {}) =>
    ada.api.put<SavedView>('/saved-views', { grid: 'bulk-edit', name, settings: { ...settings, ...part } })
  const list = async (person: typeof ada, grid: string) =>
    (await person.api.get<{ items: SavedView[] }>(`/saved-views?grid=${grid}`)).body.items

  const { body: made } = await save('Hidden parts')
  expect(made).toMatchObject({ name: 'Hidden parts', settings })
  const { body: again } = await save(' HIDDEN  parts ', { order: null })
  expect(again).toMatchObject({ id: made.id, settings: { order: null } })
  await save('Brakes')
  expect((await list(ada, 'bulk-edit')).map(({ name }) => name)).toEqual(['Brakes', again.name])
  expect([await list(ada, 'staging'), await list(bob, 'bulk-edit')]).toEqual([[], []])

  expect((await bob.api.delete(`/saved-views/${made.id}`)).status).toBe(404)
  expect((await ada.api.delete(`/saved-views/${made.id}`)).status).toBe(200)
  expect(await list(ada, 'bulk-edit')).toHaveLength(1)
})

test('a view is renamed by its owner, to a name that no other view of the grid has', async () => {
  const [ada, bob] = [await app.signUp(), await app.signUp()]
  const save = (name: string) => ada.api.put<SavedView>('/saved-views', { grid: 'bulk-edit', name, settings })
  const { body: brakes } = await save('Brakes')
  const { body: doors } = await save('Doors')
  const rename = (person: typeof ada, name: string) =>
    person.api.put<object>(`/saved-views/${brakes.id}`, { name })
  expect(await rename(ada, 'Brakes to price')).toMatchObject({
    status: 200,
    body: { ...brakes, name: 'Brakes to price' },
  })
  expect((await rename(ada, 'BRAKES to price')).status).toBe(200)
  expect(await rename(ada, 'doors')).toMatchObject({
    status: 422,
    body: { fields: { name: 'Another view has this name. Choose a different one.' } },
  })
  expect((await rename(ada, ' ')).status).toBe(422)
  expect((await rename(bob, 'Mine')).status).toBe(404)
  const { body } = await ada.api.get<{ items: SavedView[] }>('/saved-views?grid=bulk-edit')
  expect(body.items.map(({ name }) => name)).toEqual(['BRAKES to price', doors.name])
})

test('a view without a name or of an unknown grid is refused; so are too many', async () => {
  const { api, user } = await app.signUp()
  const save = (grid: string, name: string) => api.put<object>('/saved-views', { grid, name, settings })
  expect(await save('bulk-edit', ' ')).toMatchObject({ status: 422, body: { fields: { name: /required/ } } })
  expect((await save('nothing', 'A')).status).toBe(422)
  await app.database.pool.query(
    `insert into saved_view (user_id, grid, name, settings)
     select $1, 'bulk-edit', 'View ' || n, $2 from generate_series(1, 100) n`,
    [user.id, settings],
  )
  expect(await save('bulk-edit', 'One more')).toMatchObject({ status: 422 })
  expect((await save('bulk-edit', 'View 7')).status).toBe(200)
})
