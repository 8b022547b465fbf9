import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { Operations } from '#contract/admin/operations.ts'
import { openApp } from './support/app.tsx'
import { admin, newId, refuse } from './support/fake-server.ts'

const at = new Date(Date.now() - 3 * 3_600_000).toISOString()
const nothing: Operations = {
  isWorkerAlive: true,
  queues: [],
  failedMails: { items: [], total: 0 },
  reportedImports: { items: [], total: 0 },
  emptySearches: { items: [], total: 0 },
  backup: { last: null, at: null, isLate: false },
}

const open = (found: Operations | ReturnType<typeof refuse>) =>
  openApp('/dashboard/admin/operations', { as: admin(), server: { readOperations: found } })

test('an administrator sees what waits, failed, and was reported, and where to go for more', async () => {
  await open({
    isWorkerAlive: false,
    queues: [
      {
        queue: 'send-mail',
        title: 'Send mail',
        waiting: 1_200,
        waitingSince: at,
        running: 0,
        runningSince: null,
        asking: 0,
        failed: 4,
        isPaused: true,
      },
    ],
    failedMails: {
      items: [
        { id: newId(), to: 'buyer@mail.example', subject: 'Your search', error: '550 no such user', at },
      ],
      total: 41,
    },
    reportedImports: {
      items: [{ id: newId(), fileName: 'stock.csv', seller: 'Miller Auto', reported: 7, lastAt: at }],
      total: 1,
    },
    emptySearches: { items: [{ words: 'blinker fluid', times: 12, lastAt: at }], total: 1 },
    backup: {
      last: { name: 'partharbor.backup', at, bytes: 2_500_000_000, rows: 1_000_000, files: 300 },
      at: '02:30',
      isLate: true,
    },
  })
  const jobs = within(await screen.findByRole('region', { name: 'Jobs by age' }))
  expect(
    await jobs.findByRole('row', { name: /Send mail Paused 1,200, oldest 3 hours ago.*4$/ }),
  ).toBeVisible()
  expect(jobs.getByRole('link', { name: 'Mission Control' })).toBeVisible()
  const mail = within(screen.getByRole('region', { name: 'Mail that failed, last 7 days (41)' }))
  expect(mail.getByText('550 no such user')).toBeVisible()
  const imports = within(screen.getByRole('region', { name: 'Reported imports (1)' }))
  expect(imports.getByRole('row', { name: /stock.csv Miller Auto 7/ })).toBeVisible()
  const searches = within(screen.getByRole('region', { name: 'Searches without a result (1)' }))
  expect(searches.getByRole('link', { name: 'Search Words' })).toHaveAttribute(
    'href',
    '/dashboard/admin/search-words?tab=empty',
  )
  const backup = screen.getByRole('region', { name: 'Backup' })
  expect(backup).toHaveTextContent(
    '3 hours ago: 1,000,000 rows, 300 files, 2.5 GB. Every night at 02:30 UTC.',
  )
  expect(screen.getByText('No worker is running')).toBeVisible()
  expect(screen.getByText('The last backup is too old')).toBeVisible()
})

test('a quiet installation says so in every section', async () => {
  await open(nothing)
  expect(
    await screen.findByText('No jobs are waiting or running, and none failed in the last day.'),
  ).toBeVisible()
  expect(screen.getByText('All mail was accepted.')).toBeVisible()
  expect(screen.getByText(/^No backup yet\. No nightly backup is scheduled/)).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

test('a failure is shown once, with a way to try again', async () => {
  await open(refuse(503, 'BUSY', 'Please try again.'))
  expect(await screen.findByText('Unable to load the operations')).toBeVisible()
  expect(screen.getByRole('button', { name: /retry|again/i })).toBeVisible()
})
