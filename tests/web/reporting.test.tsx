import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { ReportedListing } from '#contract/reports.ts'
import { openApp } from './support/app.tsx'
import { admin, makeAround, makeListing, newId, refuse } from './support/fake-server.ts'

test('anyone reports a listing: a reason is needed, an address is not', async () => {
  const listing = makeListing({ partname: 'Alternator' })
  const { user, server } = await openApp(`/parts/${listing.partslug}`, {
    server: {
      readPublic: listing,
      countView: { ok: true },
      readAroundPart: makeAround(),
      reportListing: { ok: true },
    },
  })
  await user.click(await screen.findByText('Report this listing'))
  const form = within(await screen.findByRole('form', { name: 'Report this listing' }))
  server.answer({
    reportListing: refuse(422, 'VALIDATION_FAILED', 'Reason is required', {
      fields: { reason: 'Reason is required' },
    }),
  })
  await user.click(form.getByRole('button', { name: 'Send report' }))
  expect(await form.findByText('Choose a reason', { selector: 'p' })).toBeVisible()
  expect(form.getByLabelText('What’s wrong with this listing?')).toHaveFocus()
  server.answer({ reportListing: { ok: true } })
  await user.selectOptions(form.getByLabelText('What’s wrong with this listing?'), 'Not the part described')
  await user.type(form.getByLabelText('Details (optional)'), 'The picture shows a radiator.')
  await user.click(form.getByRole('button', { name: 'Send report' }))
  expect(await screen.findByText('Thanks for reporting. We’ll review this listing.')).toBeVisible()
  expect(
    server
      .asked('reportListing')
      .map(({ params, body }) => ({ ...params, ...body }))
      .slice(1),
  ).toEqual([
    { slug: listing.partslug, reason: 'wrong-part', text: 'The picture shows a radiator.', email: '' },
  ])
})

test('nobody reports their own listing', async () => {
  const listing = makeListing({ mine: true })
  await openApp(`/parts/${listing.partslug}`, {
    server: {
      readPublic: listing,
      countView: { ok: true },
      readAroundPart: makeAround(),
    },
  })
  await screen.findByText('This is your own part')
  expect(screen.queryByText('Report this listing')).toBeNull()
})

const reported = (changes: Partial<ReportedListing> = {}): ReportedListing => ({
  id: newId(),
  partslug: '2014-ford-f-150-alternator-a1b2c3',
  title: '2014 Ford F-150 Alternator',
  status: 'ACTIVE',
  isGone: false,
  seller: { id: newId(), name: 'Whitfield Auto' },
  import: {
    id: newId(),
    fileName: 'stock.csv',
    parts: 500,
    reported: 6,
    isUnusual: true,
    waiting: 310,
    heldAt: '2026-02-01T10:00:00.000Z',
  },
  reports: [
    {
      id: newId(),
      reason: 'wrong-part',
      text: 'It is a radiator.',
      email: 'ruth@garage.example',
      confirmed: false,
      createdAt: '2026-02-01T10:00:00.000Z',
      closedAt: null,
      closedBy: null,
      outcome: null,
      answer: '',
      restoredAt: null,
      restoredBy: null,
      restoreAnswer: '',
    },
  ],
  claims: [],
  ...changes,
})

test('an administrator hides a reported listing with an answer, and publishes the rest of its import', async () => {
  let items = [reported()]
  const { user, server } = await openApp('/dashboard/admin/reports', {
    as: admin(),
    server: {
      listReports: () => ({ items, total: items.length, open: items.length, page: 1, perPage: 20 }),
      decideReport: () => {
        items = []
        return { ok: true }
      },
      publishRest: { ok: true },
    },
  })
  const card = within(await screen.findByRole('region', { name: '2014 Ford F-150 Alternator' }))
  expect(card.getByText('Not the part described')).toBeVisible()
  expect(card.getByText('More reports than usual')).toBeVisible()
  expect(screen.getByRole('tab', { name: 'Open (1)' })).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Reports 1 open' })).toBeVisible()
  await user.click(card.getByRole('button', { name: 'Publish the rest' }))
  const question = within(await screen.findByRole('dialog', { name: 'Publish the other 310 changes?' }))
  await user.click(question.getByRole('button', { name: 'Publish the rest' }))
  await waitFor(() => expect(server.asked('publishRest')).toHaveLength(1))
  await user.click(card.getByRole('button', { name: 'Hide listing' }))
  const form = within(await screen.findByRole('dialog', { name: /^Hide listing/ }))
  expect(form.getByText('Emailed to its seller and the person who reported it.')).toBeVisible()
  await user.type(form.getByLabelText('Answer (optional)'), 'You were right.')
  await user.click(form.getByRole('button', { name: 'Hide listing' }))
  expect(await screen.findByText('No open reports.')).toBeVisible()
  expect(screen.getByText('2014 Ford F-150 Alternator is hidden.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Restore listing' })).toBeVisible()
  expect(server.asked('decideReport').map(({ body }) => body)).toEqual([
    { decision: 'hide', answer: 'You were right.' },
  ])
})

test('a hidden listing can be restored', async () => {
  const [report] = reported().reports
  const closed = report && {
    ...report,
    closedAt: '2026-02-02T10:00:00.000Z',
    closedBy: 'Dana',
    outcome: 'hidden' as const,
    answer: 'Hidden.',
  }
  const restored = closed && {
    ...closed,
    id: newId(),
    outcome: 'restored' as const,
    answer: 'First hidden.',
    restoredAt: '2026-02-03T10:00:00.000Z',
    restoredBy: 'Lee',
    restoreAnswer: 'It was right.',
  }
  const item = reported({
    status: 'HIDDEN',
    import: null,
    reports: closed && restored ? [closed, restored] : [],
  })
  const { user, server } = await openApp('/dashboard/admin/reports?state=closed', {
    as: admin(),
    server: {
      listReports: ({ query }) => ({
        items: query.state === 'closed' ? [item] : [],
        total: 1,
        open: 0,
        page: 1,
        perPage: 20,
      }),
      decideReport: { ok: true },
    },
  })
  const card = within(await screen.findByRole('region', { name: item.title }))
  const dayOf = (decision: RegExp) => card.getByText(decision).querySelector('time')?.dateTime.slice(0, 10)
  expect(dayOf(/^Hidden by Dana .*: “Hidden\.”$/)).toBe('2026-02-02')
  expect(dayOf(/^Hidden by Dana .*: “First hidden\.”$/)).toBe('2026-02-02')
  expect(dayOf(/^Restored by Lee .*: “It was right\.”$/)).toBe('2026-02-03')
  expect(card.queryByRole('button', { name: 'Answer' })).toBeNull()
  await user.click(card.getByRole('button', { name: 'Restore listing' }))
  const form = within(await screen.findByRole('dialog', { name: /^Restore listing/ }))
  await user.type(form.getByLabelText('Answer (optional)'), 'It is real.')
  await user.click(form.getByRole('button', { name: 'Restore listing' }))
  await waitFor(() =>
    expect(server.asked('decideReport').map(({ body }) => body)).toEqual([
      { decision: 'restore', answer: 'It is real.' },
    ]),
  )
})

test('an administrator removes a wrong statement about a part number', async () => {
  const id = newId()
  let claims: ReportedListing['claims'] = [
    { id, kind: 'same', number: 'HJ6677528', other: '66338415AB', seller: 'Quick Yard' },
  ]
  const { user, server } = await openApp('/dashboard/admin/reports', {
    as: admin(),
    server: {
      listReports: () => ({ items: [reported({ claims })], total: 1, open: 1, page: 1, perPage: 20 }),
      removeNumberClaim: () => {
        claims = []
        return { ok: true }
      },
    },
  })
  expect(
    await screen.findByText('HJ6677528 is the same part as 66338415AB, according to Quick Yard'),
  ).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Remove: HJ6677528 is the same part as 66338415AB' }))
  await waitFor(() => expect(screen.queryByText(/according to Quick Yard/)).toBeNull())
  expect(server.asked('removeNumberClaim').map(({ params }) => params)).toEqual([{ id }])
})
