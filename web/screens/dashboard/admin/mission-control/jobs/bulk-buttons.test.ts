import { expect, test } from 'vitest'
import { bulkQuestion } from './bulk-buttons.tsx'
import { noFilters } from './job-filters.ts'

const failed = { ...noFilters, status: 'failed' }

test('a bulk action names the number of jobs and the filter', () => {
  const { title, text, confirm } = bulkQuestion('retry', { matching: 1200, matchingIsAtLeast: false }, failed)
  expect(title).toBe('Retry 1,200 jobs?')
  expect(confirm).toBe('Retry 1,200 jobs')
  expect(text).toContain('Among jobs with status failed: those that failed and were not retried yet.')
  expect(text).not.toContain('more than counted')
})

test('canceled jobs are retried if the filter includes them', () => {
  const all = bulkQuestion(
    'retry',
    { matching: 2, matchingIsAtLeast: false },
    { ...noFilters, status: 'cancelled' },
  )
  expect(all.text).toContain('those that failed or were canceled and')
})

test('one job is singular, and a capped count shows it', () => {
  expect(bulkQuestion('cancel', { matching: 1, matchingIsAtLeast: false }, noFilters).title).toBe(
    'Cancel 1 job?',
  )
  const partly = bulkQuestion('cancel', { matching: 1, matchingIsAtLeast: true }, noFilters)
  expect(partly.title).toBe('Cancel 1+ jobs?')
  expect(partly.text).toContain('Among all jobs:')
  expect(partly.text).toContain('There may be more.')
})
