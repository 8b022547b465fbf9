import { expect, test } from 'vitest'
import { actionWords, auditQuery, detailLines, targetPath, whoDid } from './audit-log-screen.tsx'

test('an action has a readable label', () => {
  expect(actionWords('bulk-saved')).toBe('Bulk saved')
  expect(actionWords('sign-in')).toBe('Sign in')
  expect(actionWords('queue-paused')).toBe('Queue paused')
  expect(actionWords('jobs-bulk')).toBe('Bulk action on jobs')
})

test('details are one per line, without empty values, and names for ids', () => {
  const detail = { items: 20, before: { role: 0 }, reason: null, note: '', into: 'id 1' }
  expect(detailLines(detail, { 'id 1': 'Alternator' })).toEqual([
    'items: 20',
    'before: {"role":0}',
    'into: Alternator',
  ])
})

const dana = { id: '1', name: 'Dana', email: 'dana@yard.example' }
test.each([
  [
    { by: dana, source: 'person', script: null },
    { name: 'Dana', about: 'dana@yard.example' },
  ],
  [
    { by: dana, source: 'script', script: 'h1-optimizer' },
    { name: 'h1-optimizer', about: 'started by Dana' },
  ],
  [{ by: null, source: 'script', script: null }, { name: 'A script' }],
  [{ by: null, source: 'visitor', script: null }, { name: 'A visitor' }],
  [{ by: null, source: 'system', script: null }, { name: 'The system' }],
] as const)('%j reads %j', (entry, shown) => expect(whoDid(entry)).toEqual(shown))

test('empty filters and invalid days are left out', () => {
  const none = { action: '', who: ' ', target: '', from: '', to: '' }
  expect(auditQuery(none)).toEqual({})
  expect(auditQuery({ ...none, who: 'dana', from: '2026-13-45', to: '2026-11-21' })).toEqual({
    who: 'dana',
    to: '2026-11-21',
  })
})

test('a job, a staged file and an import lead to where they are', () => {
  const id = '01936f00-0000-7000-8000-000000000001'
  const file = '/dashboard/admin/mission-control?view=preprocess&root=ecomm&path=%2Fyard%2Fa.json'
  expect(targetPath({ kind: 'job', name: 'h1-optimizer', slug: null }, id)).toBe(
    `/dashboard/admin/mission-control?job=${id}`,
  )
  expect(targetPath(null, 'ecomm:/yard/a.json')).toBe(file)
  expect(targetPath({ kind: 'import', name: 'a.csv', slug: 'ecomm:/yard/a.json' }, id)).toBe(file)
  expect(targetPath({ kind: 'import', name: 'a.csv', slug: null }, id)).toBeUndefined()
  expect(targetPath(null, 'somebody')).toBeUndefined()
})
