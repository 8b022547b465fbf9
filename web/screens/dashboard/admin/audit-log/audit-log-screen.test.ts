import { expect, test } from 'vitest'
import { actionWords, auditQuery, detailLines } from './audit-log-screen.tsx'

test('an action has a readable label', () => {
  expect(actionWords('bulk-saved')).toBe('Bulk saved')
  expect(actionWords('sign-in')).toBe('Sign in')
  expect(actionWords('queue-paused')).toBe('Queue paused')
  expect(actionWords('jobs-bulk')).toBe('Bulk action on jobs')
})

test('details are one per line, without empty values', () => {
  expect(detailLines({ items: 20, before: { role: 0 }, reason: null, note: '' })).toEqual([
    'items: 20',
    'before: {"role":0}',
  ])
})

test('empty filters and invalid days are left out', () => {
  const none = { action: '', who: ' ', target: '', from: '', to: '' }
  expect(auditQuery(none)).toEqual({})
  expect(auditQuery({ ...none, who: 'dana', from: '2026-13-45', to: '2026-11-21' })).toEqual({
    who: 'dana',
    to: '2026-11-21',
  })
})
