import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { comesBack, IS_RESTORED } from '#server/features/stock-files/identity/pairing.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const [then, later] = [new Date('2026-03-01T10:00:00.123Z'), new Date('2026-03-01T10:00:00.124Z')]

test.each([
  { part: 'ended by a full inventory', endedAt: then, reason: 'sold-elsewhere', bySource: then, back: true },
  {
    part: 'ended by a person since',
    endedAt: later,
    reason: 'sold-elsewhere',
    bySource: then,
    back: false,
  },
  { part: 'ended for another reason', endedAt: then, reason: 'scrapped', bySource: then, back: false },
  { part: 'ended only by a person', endedAt: then, reason: 'sold-elsewhere', bySource: null, back: false },
  { part: 'that is live', endedAt: null, reason: null, bySource: then, back: false },
  { part: 'that never ended', endedAt: null, reason: null, bySource: null, back: false },
])('a part $part comes back: $back, in SQL and in code', async ({ endedAt, reason, bySource, back }) => {
  const { rows } = await sql<{ comesBack: boolean }>`
    select ${IS_RESTORED} as "comesBack"
    from (select ${endedAt}::timestamptz(3) as ended_at, ${reason}::text as ended_reason) l,
         (select ${bySource}::timestamptz(3) as ended_at) s
  `.execute(app.db)
  expect(rows[0]?.comesBack).toBe(back)
  expect(comesBack({ ended_at: endedAt, ended_reason: reason }, bySource)).toBe(back)
})
