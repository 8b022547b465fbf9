import '@testing-library/jest-dom/vitest'
import { screen, waitFor, within } from '@testing-library/dom'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Suggestion } from '#contract/search/suggestions.ts'
import { forgetDeviceCopies } from '#web/api/device-copies.ts'
import { SearchBox } from '#web/site/search-box.tsx'
import { type Handlers, newId, refuse, startFakeServer } from './support/fake-server.ts'
import { cleanup, render } from './support/page.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

const search = (label: string, kind: Suggestion['kind'] = 'part'): Suggestion => ({
  kind,
  label,
  url: `/parts?${new URLSearchParams({ q: label })}`,
})
const stock = [
  search('Headlamp Assembly'),
  search('Headrest'),
  search('Ford F-150 Headlamp Assembly', 'words'),
  { kind: 'seller', label: 'Headley Auto Parts', url: '/sellers/headley' } as const,
]

function Where() {
  const { pathname, search } = useLocation()
  return <p data-testid="where">{pathname + search}</p>
}

function openBox(handlers: Handlers = {}, words?: string) {
  const server = startFakeServer({
    readSuggestions: ({ query: { q = '' } }) => ({
      suggestions: stock.filter(({ label }) => label.toLowerCase().includes(q.toLowerCase())),
    }),
    ...handlers,
  })
  const page = (
    <>
      <SearchBox {...(words !== undefined && { words })} />
      <Where />
    </>
  )
  const router = createMemoryRouter([{ path: '*', element: page }])
  render(<RouterProvider router={router} />)
  return { server, user: userEvent.setup({ delay: null }), box: screen.getByLabelText('Search parts') }
}

const where = () => screen.getByTestId('where').textContent
const list = async (name = 'Suggestions') => within(await screen.findByRole('listbox', { name }))
const labels = async (name?: string) =>
  (await list(name)).getAllByRole('option').map(({ firstChild }) => firstChild?.textContent)

test('typing shows suggestions; the arrow keys choose one and Enter goes there', async () => {
  const { user, box } = openBox()
  await waitFor(() => expect(box).toHaveRole('combobox'))
  expect(box).toHaveAttribute('aria-expanded', 'false')
  await user.type(box, 'head')
  expect(await labels()).toEqual(stock.map(({ label }) => label))
  expect(box).toHaveAttribute('aria-expanded', 'true')
  expect(screen.getByRole('listbox').id).toBe(box.getAttribute('aria-controls'))
  expect(screen.getByRole('status')).toHaveTextContent('4 suggestions')
  expect(box).not.toHaveAttribute('aria-activedescendant')

  await user.keyboard('{ArrowDown}{ArrowDown}')
  const chosen = screen.getByRole('option', { selected: true })
  expect(chosen).toHaveTextContent('Headrest')
  expect(box).toHaveAttribute('aria-activedescendant', chosen.id)
  expect(box).toHaveFocus()
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(screen.queryByRole('option', { selected: true })).toBeNull()
  await user.keyboard('{ArrowUp}')
  expect(screen.getByRole('option', { selected: true })).toHaveTextContent('Headley Auto Parts')

  await user.keyboard('{Enter}')
  await waitFor(() => expect(where()).toBe('/sellers/headley'))
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('Enter without a choice searches for what was typed; Escape closes the list and keeps the words', async () => {
  const { user, box } = openBox()
  await user.type(box, 'headl')
  await list()
  await user.keyboard('{ArrowDown}{Escape}')
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(box).toHaveValue('headl')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(where()).toBe('/parts?q=headl'))
})

test('a click chooses without taking the focus from the box', async () => {
  const { user, box } = openBox()
  await user.type(box, 'head')
  await user.click((await list()).getByText('Ford F-150 Headlamp Assembly'))
  await waitFor(() => expect(where()).toBe('/parts?q=Ford+F-150+Headlamp+Assembly'))
  expect(box).toHaveValue('Ford F-150 Headlamp Assembly')
})

test('an empty box offers recent searches; they can be cleared, and signing out clears them', async () => {
  const { user, box } = openBox()
  await user.click(box)
  expect(screen.queryByRole('listbox')).toBeNull()
  for (const words of ['altenator', 'left mirror', 'ALTENATOR']) {
    await user.clear(box)
    await user.type(box, `${words}{Enter}`)
  }
  await user.clear(box)
  expect(await labels('Recent searches')).toEqual(['ALTENATOR', 'left mirror'])
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  await waitFor(() => expect(where()).toBe('/parts?q=left+mirror'))

  await user.clear(box)
  await user.click(await screen.findByRole('button', { name: 'Clear recent searches' }))
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(localStorage).toHaveLength(0)

  await user.type(box, 'grille{Enter}')
  expect(localStorage).toHaveLength(1)
  forgetDeviceCopies()
  expect(localStorage).toHaveLength(0)
})

test('without suggestions or with unreadable storage, it still searches', async () => {
  localStorage.setItem('recentSearches', '{"not": "a list"}')
  const { user, box, server } = openBox({ readSuggestions: () => refuse(503, 'BUSY', 'Busy') }, 'grille')
  expect(box).toHaveValue('grille')
  await user.clear(box)
  await user.type(box, 'hood')
  await expect.poll(() => server.asked('readSuggestions').map(({ query }) => query.q)).toEqual(['hood'])
  expect(screen.queryByRole('listbox')).toBeNull()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(where()).toBe('/parts?q=hood'))
})

const camry = { make: 'Toyota', model: 'Camry', year: 2014, at: Date.parse('2026-11-29T10:00:00Z') }

test('a search is of the buyer’s own vehicle, unless its words name another; suggestions say how many', async () => {
  const ids = { manuId: newId(), modelId: newId() }
  localStorage.setItem('garage', JSON.stringify({ vehicles: [{ ...camry, ...ids }] }))
  const { user, box, server } = openBox({
    readSuggestions: ({ query: { q = '', whole } }) => ({
      suggestions: [{ ...search('Alternator'), count: 1_200 }],
      ...(whole && { isOfAnyVehicle: !q.includes('civic') }),
    }),
  })
  const own = 'make=toyota&model=camry&year=2014'
  await user.type(box, 'left mirror{Enter}')
  await waitFor(() => expect(where()).toBe(`/parts?q=left+mirror&${own}`))
  await user.clear(box)
  await user.type(box, 'civic hood{Enter}')
  await waitFor(() => expect(where()).toBe('/parts?q=civic+hood'))
  expect(server.asked('readSuggestions').map(({ query }) => query.whole)).toContain('1')

  // On a list that was opened, its own filters stay what they are.
  await user.clear(box)
  await user.type(box, 'alt')
  const option = await screen.findByRole('option', { name: /^Alternator/ })
  expect(option).toHaveTextContent('Part · 1,200 parts')
  await user.click(option)
  await waitFor(() => expect(where()).toBe('/parts?q=Alternator'))
})

test('is a form that a browser without script can send', () => {
  const { box } = openBox()
  const { form } = box as HTMLInputElement
  expect(form).toHaveAttribute('action', '/parts')
  expect(form?.method).toBe('get')
  expect(box).toHaveAttribute('name', 'q')
})
