import { screen, waitFor, within } from '@testing-library/dom'
import { beforeEach, describe, expect, test } from 'vitest'
import type { JobDetail } from '#contract/admin/automation.ts'
import type { TextProposal, TextReview } from '#contract/admin/scripts.ts'
import { openApp } from './support/app.tsx'
import { admin, type Handlers, newId } from './support/fake-server.ts'

const jobId = newId()
const at = '2026-11-22T12:00:00.000Z'

const job = (changes: Partial<JobDetail> = {}): JobDetail => ({
  id: jobId,
  status: 'completed',
  queueKey: 'descriptionOptimizer',
  scriptId: 'description-optimizer',
  attempts: 0,
  maxAttempts: 1,
  createdAt: at,
  updatedAt: at,
  startedAt: at,
  endedAt: at,
  payload: { scriptId: 'description-optimizer', flags: { dryRun: true } },
  options: {},
  progress: null,
  error: null,
  retryOf: null,
  cancelRequested: false,
  _count: { events: 0, artifacts: 0 },
  events: [],
  artifacts: [],
  question: null,
  result: { written: 2, unchanged: 0, refused: 1, outcome: 'completed-with-errors' },
  timeline: [],
  retriedBy: [],
  createdBy: 'Admin',
  state: {},
  ...changes,
})

const proposal = (place: number, changes: Partial<TextProposal>): TextProposal => ({
  place,
  label: `Row ${place}`,
  title: '2014 Ford Focus Alternator',
  partslug: null,
  before: '',
  after: 'Part: Alternator',
  change: 'new',
  lost: [],
  why: null,
  decision: null,
  outcome: null,
  ...changes,
})

/** Three texts of a dry run, decided on and written as the server does it. */
function reviewServer() {
  const texts = [
    proposal(1, { before: 'good cond', after: 'good cond\n\nPart: Alternator', change: 'added' }),
    proposal(2, { title: '2014 Ford Focus Starter' }),
    proposal(3, { before: 'Part: bent', after: null, change: 'refused', why: '“bent” would be lost' }),
  ]
  const count = (has: (text: TextProposal) => boolean) => texts.filter(has).length
  const review = (): TextReview => ({
    jobId,
    field: 'partdescription',
    source: { root: 'ecomm', path: '/yard.json', version: 1 },
    changes: { new: 1, added: 1, reworded: 0, drops: 0, refused: 1 },
    accepted: count(({ decision }) => decision === 'accepted'),
    rejected: count(({ decision }) => decision === 'rejected'),
    open: count(({ decision, change }) => decision === null && change !== 'refused'),
    written: count(({ outcome }) => outcome === 'written'),
    stale: 0,
    leftOut: 0,
  })
  const handlers: Handlers = {
    readJob: job(),
    listJobs: { items: [], pageInfo: { nextCursor: null, searchedBackTo: null } },
    listQueues: { queues: [], warnings: [] },
    listStagingFiles: { items: [], nextCursor: null },
    readScriptSettings: { model: 'gpt-5-mini', hasKey: true },
    streamJob: () => new Response('', { headers: { 'content-type': 'text/event-stream' } }),
    readTextReview: ({ query }) => {
      const items = texts.filter(
        ({ title, change }) =>
          title.toLowerCase().includes((query.q ?? '').toLowerCase()) && (query.change ?? change) === change,
      )
      return { review: review(), total: items.length, items, next: null }
    },
    decideTexts: ({ body }) => {
      for (const text of texts) {
        const isChosen = body.places ? body.places.includes(text.place) : text.change !== 'refused'
        if (isChosen) text.decision = body.decision
      }
      return { review: review(), changed: 1 }
    },
    writeAcceptedTexts: () => {
      for (const text of texts) if (text.decision === 'accepted') text.outcome = 'written'
      return { review: review(), written: review().written, left: 0, version: 2 }
    },
  }
  return handlers
}

let handlers: Handlers
beforeEach(() => {
  handlers = reviewServer()
})
const open = (more: Handlers = {}) =>
  openApp(`/dashboard/admin/mission-control?view=preprocess&job=${jobId}`, {
    as: admin(),
    server: { ...handlers, ...more },
  })

describe('the texts of a dry run', () => {
  test('are shown side by side, and only accepted ones are written', async () => {
    const { user, server } = await open()
    const table = within(await screen.findByRole('region', { name: 'Texts, old and new' }))
    const headers = table.getAllByRole('columnheader').map(({ textContent }) => textContent)
    expect(headers).toEqual(['Part', 'Current description', 'New description', 'Decision'])
    expect(screen.getByText('2 to decide, 1 refused.')).toBeVisible()
    expect(table.getByText('Nothing is written: “bent” would be lost')).toBeVisible()
    // What is new in the text is marked.
    const [, first] = table.getAllByRole('row')
    expect(first?.querySelector('ins')).toHaveTextContent('Part: Alternator')
    expect(screen.getByRole('button', { name: 'Write accepted' })).toBeDisabled()
    await user.click(table.getByRole('button', { name: 'Accept Row 1' }))
    await user.click(table.getByRole('button', { name: 'Reject Row 2' }))
    expect(await screen.findByText('1 accepted, 1 rejected, 1 refused.')).toBeVisible()
    expect(server.asked('decideTexts').map(({ body }) => body)).toEqual([
      { decision: 'accepted', places: [1] },
      { decision: 'rejected', places: [2] },
    ])
    await user.click(await screen.findByRole('button', { name: 'Write 1 accepted' }))
    expect(
      await screen.findByText('1 text written as version 2 of /yard.json. Promote it to show them.'),
    ).toBeVisible()
    expect(server.asked('writeAcceptedTexts')).toHaveLength(1)
  })

  test('can be searched, filtered by kind of change, and accepted all at once', async () => {
    const { user, server } = await open()
    await screen.findByRole('region', { name: 'Texts, old and new' })
    await user.type(screen.getByRole('searchbox', { name: 'Search texts' }), 'starter{Enter}')
    await waitFor(() => expect(screen.queryByText('Row 1')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Accept all 1 found' }))
    await waitFor(() =>
      expect(server.asked('decideTexts')[0]?.body).toEqual({ decision: 'accepted', q: 'starter' }),
    )
    await user.click(screen.getByRole('button', { name: 'Clear search' }))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Kind of change' }), 'Facts added (1)')
    await waitFor(() => expect(screen.queryByText('Row 2')).toBeNull())
    await user.selectOptions(screen.getByRole('combobox', { name: 'Kind of change' }), 'All changes')
    await user.click(await screen.findByRole('button', { name: 'Accept all' }))
    await waitFor(() => expect(server.asked('decideTexts')[1]?.body).toEqual({ decision: 'accepted' }))
  })

  test('are absent after a run that wrote', async () => {
    await open({ readJob: job({ payload: { scriptId: 'description-optimizer', flags: {} } }) })
    expect(await screen.findByText('Completed with errors')).toBeVisible()
    expect(screen.getByText(/^2 written, 0 unchanged, 1 refused\./)).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'Compare texts' })).toBeNull()
  })
})

test('the model select starts with the configured default, and says if there is no key', async () => {
  const { user } = await open({ readScriptSettings: { model: 'gpt-5-mini', hasKey: false } })
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Script' }), 'description-optimizer')
  const select = screen.getByRole('combobox', { name: 'Model' })
  await waitFor(() =>
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Default (gpt-5-mini)', 'gpt-4o', 'gpt-3.5-turbo']),
  )
  expect(select).toHaveDisplayValue('Default (gpt-5-mini)')
  expect(screen.getByText(/^No OPENAI_API_KEY is set/)).toBeVisible()
})
