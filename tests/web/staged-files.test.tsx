import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { StagingPlan } from '#contract/admin/staging.ts'
import type { TaxonomyResult } from '#contract/admin/taxonomy.ts'
import { openApp } from './support/app.tsx'
import { admin, type Handlers, newId } from './support/fake-server.ts'

/* The plan and the names of a staged file as an administrator sees them; sellers see the same parts in their receipts. */

const name = { root: 'ecomm', path: '/yard.json' } as const
const at = '2026-11-22T12:00:00.000Z'

const plan: StagingPlan = {
  id: newId(),
  version: 1,
  state: 'review',
  ...{ create: 12, update: 3, unchanged: 4, ended: 2, merged: 1, refused: 3 },
  refusals: ['Row 5: Model is missing', 'Row 6: Year is missing'],
  contradictions: [],
  newNames: {
    category: [],
    manufacturer: Array.from({ length: 14 }, (_, n) => `Make ${n + 1}`),
    model: ['Malibux'],
  },
  review: [{ code: 'names', message: '15 names are new.' }],
  ...{ error: null, progress: null, jobId: null },
  receipt: {
    ...{ created: 0, updated: 0, ended: 0, undone: 0, leftAsIs: 0 },
    ...{ approvedBy: null, appliedAt: null, undoneAt: null },
  },
  ...{ canUndo: false, canWithdraw: true },
}

const ofMake = { manufacturerId: newId(), manufacturer: 'Chevrolet' }
const taxonomy: TaxonomyResult = {
  message: 'Names resolved',
  root: name.root,
  files: [],
  createdCategories: ['Bumper'],
  createdManufacturers: [],
  createdModels: [{ manufacturer: 'Chevrolet', name: 'Malibux' }],
  names: [
    {
      ...{ kind: 'manufacturer', typed: 'Chevy', manufacturerId: null, manufacturer: null, rows: 3 },
      ...{ matched: 'Chevrolet', how: 'alias', confidence: 0.975, rowsOutOfYears: 0 },
    },
    {
      ...{ kind: 'car-model', typed: 'Cavaleir', ...ofMake, rows: 1_200 },
      ...{ matched: 'Cavalier', how: 'similar', confidence: null, rowsOutOfYears: 7 },
    },
  ],
  unsure: [],
  unsureCount: 0,
  stopped: null,
}

const server: Handlers = {
  listQueues: { queues: [], warnings: [] },
  listJobs: { items: [], pageInfo: { nextCursor: null, searchedBackTo: null } },
  listStagingFiles: { items: [], nextCursor: null },
  readScriptSettings: { model: 'gpt-5-mini', hasKey: true },
  readStagingFile: { ...name, contentType: 'application/json', contents: '[]', version: 1, rows: 0 },
  listStagingVersions: { ...name, items: [] },
  readStagingPlan: { plan },
  listPlannedRows: { items: [], nextCursor: null },
  readTaxonomy: { last: { result: taxonomy, madeAt: at, madeBy: 'Admin' }, jobId: null },
}

async function openTab(tab: string) {
  const { user } = await openApp(
    `/dashboard/admin/mission-control?view=preprocess&root=${name.root}&path=${name.path}`,
    { as: admin(), server },
  )
  await user.click(await screen.findByRole('tab', { name: new RegExp(`^${tab}`) }))
}

test('a plan names what it would do, what is refused, and every new name', async () => {
  await openTab('Plan')
  const card = within(await screen.findByRole('region', { name: 'Plan' }))
  expect(card.getByText('Needs review')).toBeVisible()
  const figures = card.getByRole('region', { name: 'What the plan does' })
  expect(figures).toHaveTextContent(
    /Created12Updated3Unchanged4Ended2taken downDuplicate rows1combinedRefused3$/,
  )
  expect(card.getByText('14 manufacturers: Make 1, Make 2', { exact: false })).toHaveTextContent(/Make 14$/)
  expect(card.getByText('1 model: Malibux')).toBeVisible()
  const refused = card.getByRole('region', { name: 'Refused rows' })
  expect(
    within(refused)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(plan.refusals)
  expect(refused).toHaveTextContent('1 more not shown.')
  expect(card.getByText('15 names are new.')).toBeVisible()
  expect(card.getByRole('button', { name: 'Promote this plan' })).toBeEnabled()
})

test('the names of a file are listed with how they were matched', async () => {
  await openTab('Taxonomy')
  const card = within(await screen.findByRole('region', { name: 'Taxonomy resolver' }))
  const rows = within(await card.findByRole('region', { name: 'Matches' })).getAllByRole('row')
  const texts = rows.map((row) => [...row.children].map((cell) => cell.textContent))
  expect(texts).toEqual([
    ['Kind', 'Typed', 'Matched', 'How', 'Confidence', 'Rows'],
    ['Manufacturer', 'Chevy', 'Chevrolet', 'Alias', '97%', '3'],
    ['Model', 'Cavaleir', 'Chevrolet Cavalier', 'Typo', '–', '1,200 (7 outside its production years)'],
  ])
  expect(card.getByText('1 category: Bumper')).toBeVisible()
  expect(card.getByText('1 model: Chevrolet Malibux')).toBeVisible()
  expect(card.getByText('No uncertain names.')).toBeVisible()
})
