import { expect, test } from 'vitest'
import { canUndo } from './summaries.ts'

const now = new Date('2026-06-30T12:00:00Z')
const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)

test.each([
  ['is going live, however old it is', 'applying', { touchedAt: ago(40) }, true],
  ['went live recently', 'applied', { appliedAt: ago(29) }, true],
  ['went live long ago', 'applied', { appliedAt: ago(30), touchedAt: ago(30) }, false],
  ['recently failed halfway', 'failed', { touchedAt: ago(29) }, true],
  ['recently failed during the undo', 'failed', { appliedAt: ago(31), touchedAt: ago(1) }, true],
  ['failed halfway long ago', 'failed', { touchedAt: ago(31) }, false],
  ['failed with nothing live', 'failed', { applied: 0 }, false],
  ['is not live yet', 'planned', { applied: 0 }, false],
  ['was undone', 'undone', { appliedAt: ago(1) }, false],
] as const)('whether an import that %s can be undone', (_, state, changes, expected) => {
  expect(canUndo({ state, applied: 3, appliedAt: null, touchedAt: null, ...changes }, now)).toBe(expected)
})
