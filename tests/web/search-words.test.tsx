import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { EmptySearch, SearchWord, WordChange, WordReach } from '#contract/search/search-words.ts'
import { openApp } from './support/app.tsx'
import { admin, newId, refuse } from './support/fake-server.ts'

const at = '2026-11-20T10:00:00.000Z'
const generator: SearchWord = {
  id: newId(),
  word: 'generator',
  kind: 'part',
  means: 'Alternator',
  createdAt: at,
}
const looking: SearchWord = { id: newId(), word: 'looking for', kind: 'skip', means: '', createdAt: at }
const blinker: EmptySearch = { words: 'blinker fluid', times: 12, firstAt: at, lastAt: at }

const reachOf = (word: string, parts: number): WordReach => ({
  word,
  emptySearches: { count: 0 },
  savedSearches: { count: 1 },
  parts: parts > 1_000 ? { count: 1_000, isAtLeast: true } : { count: parts },
})
const change: WordChange = {
  id: newId(),
  at,
  by: 'Ada Admin',
  what: 'changed',
  word: 'generator',
  kind: 'part',
  means: 'Alternator',
  before: { word: 'genny', kind: 'part', means: 'Starter Motor' },
  canUndo: true,
}

const pageOf = <Item,>(items: Item[]) => ({ items, total: items.length, page: 1, perPage: 50 })
const category = { id: newId(), name: 'Turn Signal Lamp', group: 'Lighting', aliases: [], universal: false }

const openWords = (path = '') =>
  openApp(`/dashboard/admin/search-words${path}`, {
    as: admin(),
    server: {
      listSearchWords: ({ query: { q = '' } }) =>
        pageOf([generator, looking].filter(({ word }) => word.includes(q))),
      listEmptySearches: pageOf([blinker]),
      categories: [category],
      manufacturers: [],
      addSearchWord: ({ body }) => ({ id: newId(), createdAt: at, change: change.id, ...body }),
      changeSearchWord: ({ body }) => ({ id: newId(), createdAt: at, change: change.id, ...body }),
      removeSearchWord: { ok: true, change: change.id },
      readWordReach: ({ query: { word } }) => ({
        items: word ? [reachOf(word, 2)] : [reachOf('generator', 1_001), reachOf('looking for', 0)],
      }),
      listWordChanges: pageOf([change, { ...change, id: newId(), what: 'undone', canUndo: false }]),
      undoWordChange: { ok: true },
      dismissEmptySearch: { ok: true },
    },
  })

test('an administrator finds a word, changes it, and removes it after a question', async () => {
  const { user, server } = await openWords()
  const row = within(await screen.findByRole('row', { name: /^generator/ }))
  expect(row.getByText('Alternator')).toBeVisible()
  expect(screen.getByRole('row', { name: /looking for.*the search ignores it/ })).toBeVisible()

  await user.click(row.getByRole('button', { name: 'Edit generator' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Edit “generator”' }))
  await user.selectOptions(drawer.getByLabelText('It means'), 'The same as another word')
  await user.type(drawer.getByLabelText('Other word'), 'alternator')
  await user.click(drawer.getByRole('button', { name: 'Save word' }))
  await expect
    .poll(() => server.asked('changeSearchWord').map(({ params, body }) => ({ ...params, ...body })))
    .toEqual([{ id: generator.id, word: 'generator', kind: 'same', means: 'alternator' }])
  expect(await screen.findByText('“generator” saved. Searches use it now.')).toBeVisible()

  await user.click(screen.getByRole('button', { name: 'Remove looking for' }))
  const question = within(await screen.findByRole('dialog', { name: 'Remove “looking for”?' }))
  await user.click(question.getByRole('button', { name: 'Remove word' }))
  await expect
    .poll(() => server.asked('removeSearchWord').map(({ params }) => params.id))
    .toEqual([looking.id])

  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await expect.poll(() => server.asked('undoWordChange').map(({ params }) => params.id)).toEqual([change.id])

  await user.type(screen.getByLabelText('Search'), 'gen')
  await expect.poll(() => screen.queryByRole('row', { name: /looking for/ })).toBeNull()
})

test('a search without a result becomes a word for a part type, or is dismissed', async () => {
  const { user, server } = await openWords()
  await user.click(await screen.findByRole('tab', { name: 'Searches without a result (1)' }))
  const row = within(await screen.findByRole('row', { name: /^blinker fluid 12/ }))
  await user.click(row.getByRole('button', { name: 'Add as a word for…: blinker fluid' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Add a word' }))
  expect(drawer.getByLabelText('Word')).toHaveValue('blinker fluid')
  await user.type(drawer.getByRole('combobox', { name: 'Part types' }), 'turn sig')
  // happy-dom lays out no dropdown.
  await user.click(await screen.findByRole('option', { name: 'Turn Signal Lamp', hidden: true }))
  await user.click(drawer.getByRole('button', { name: 'Save word' }))
  await expect
    .poll(() => server.asked('addSearchWord').map(({ body }) => body))
    .toEqual([
      { word: 'blinker fluid', kind: 'part', means: 'Turn Signal Lamp', emptySearch: 'blinker fluid' },
    ])

  await user.click(await screen.findByRole('button', { name: 'Dismiss blinker fluid' }))
  await expect
    .poll(() => server.asked('dismissEmptySearch').map(({ body }) => body))
    .toEqual([{ words: 'blinker fluid' }])
})

test('what the server refuses is shown at its field', async () => {
  const { user, server } = await openWords()
  const sentence = 'Write make and model with a slash, such as Ford/Mustang'
  server.answer({
    addSearchWord: () =>
      refuse(422, 'VALIDATION_FAILED', 'Check the marked field', { fields: { means: sentence } }),
  })
  await user.click(await screen.findByRole('button', { name: 'Add a word' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Add a word' }))
  await user.type(drawer.getByLabelText('Word'), 'stang')
  await user.selectOptions(drawer.getByLabelText('It means'), 'Make and model, such as Ford/Mustang')
  await user.type(drawer.getByLabelText('Make and model'), 'Mustang')
  await user.click(drawer.getByRole('button', { name: 'Save word' }))
  expect(await drawer.findByText(sentence)).toBeVisible()
  expect(drawer.getByLabelText('Word')).toHaveValue('stang')
})

test('a word shows whom it affects, in the list and while it is typed', async () => {
  const { user, server } = await openWords()
  expect(
    await screen.findByRole('row', { name: /^generator.*1,000\+ parts for sale, 1 saved search/ }),
  ).toBeVisible()
  expect(server.asked('readWordReach').map(({ query }) => query.ids)).toEqual([
    [generator.id, looking.id].join(','),
  ])
  await user.click(screen.getByRole('button', { name: 'Add a word' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Add a word' }))
  await user.type(drawer.getByLabelText('Word'), 'blinker')
  expect(
    await drawer.findByText(
      'This affects 2 parts for sale, 1 saved search, and the files that yards import.',
    ),
  ).toBeVisible()
})

test('the changes of a month are undone if they still apply', async () => {
  const { user, server } = await openWords('?tab=changes')
  const row = within(
    await screen.findByRole('row', { name: /^generator Changed: Alternator \(was genny: Starter Motor\)/ }),
  )
  expect(screen.getAllByRole('button', { name: /^Undo/ })).toHaveLength(1)
  await user.click(row.getByRole('button', { name: 'Undo the change of generator' }))
  await expect.poll(() => server.asked('undoWordChange').map(({ params }) => params.id)).toEqual([change.id])
  expect(await screen.findByText('Undone. Searches use it now.')).toBeVisible()
})
