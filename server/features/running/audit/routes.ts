import type { adminPeopleEndpoints } from '#contract/admin/people.ts'
import { readCursor, toCursor } from '#server/platform/database/cursors.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { listActions, listAudit } from './queries.ts'

const ENTRIES_A_PAGE = 50

export function auditRoutes(): Handlers<Pick<typeof adminPeopleEndpoints, 'listAudit'>> {
  return {
    async listAudit({ db, query }) {
      const { cursor, ...filter } = query
      const after = cursor ? readCursor(cursor) : undefined
      const [rows, actions] = await Promise.all([
        // One extra entry shows whether there is a next page.
        listAudit(db, filter, { after, limit: ENTRIES_A_PAGE + 1 }),
        listActions(db),
      ])
      const shown = rows.slice(0, ENTRIES_A_PAGE)
      const last = shown.at(-1)
      return {
        items: shown.map((row) => ({ ...row, at: row.at.toISOString() })),
        nextCursor: last && rows.length > ENTRIES_A_PAGE ? toCursor(last) : null,
        actions,
      }
    },
  }
}
