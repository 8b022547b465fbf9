import { expect, test } from 'vitest'
import { filterQuery, filterWords, noFilters, unknownStatuses } from './job-filters.ts'

test('lists are sent without gaps, and empty filters are not sent', () => {
  expect(filterQuery({ queue: ' preprocess, ,h1Optimizer,', status: '', search: '  brake ' })).toEqual({
    queue: 'preprocess,h1Optimizer',
    search: 'brake',
  })
  expect(filterQuery(noFilters)).toEqual({})
})

test('unknown statuses are listed', () => {
  expect(unknownStatuses('failed, broken,waiting-manual,')).toEqual(['broken'])
  expect(unknownStatuses('')).toEqual([])
})

test.each([
  [noFilters, 'all jobs'],
  [{ ...noFilters, status: 'failed' }, 'jobs with status failed'],
  [
    { queue: 'preprocess,sendMail', status: 'failed, cancelled', search: 'hinge' },
    'jobs with status failed, cancelled of preprocess, sendMail that contain “hinge”',
  ],
])('%o reads %s', (filters, words) => {
  expect(filterWords(filters)).toBe(words)
})
