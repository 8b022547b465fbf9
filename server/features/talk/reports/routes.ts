import type { reportEndpoints } from '#contract/reports.ts'
import { type LetGo, letGoOfHeld } from '#server/features/market/listings/ordered-parts.ts'
import { rememberMailbox } from '#server/features/people/accounts/known-devices.ts'
import { publishRest } from '#server/features/stock-files/apply/first-import.ts'
import { findImport } from '#server/features/stock-files/receive/imports.ts'
import { importNotFound } from '#server/features/stock-files/receive/policy.ts'
import { auditActorOf } from '#server/platform/database/audit.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { decideReport, requireReported } from './decide-report.ts'
import {
  confirmReport,
  countReported,
  fileReport,
  getReportableListing,
  listReported,
  type ReportSite,
} from './reports.ts'

export function reportRoutes({
  site,
  now,
  letGo,
}: {
  site: ReportSite
  now: () => Date
  letGo?: LetGo | undefined
}): Handlers<typeof reportEndpoints> {
  return {
    async reportListing(request) {
      const { db, actor, params, ip, requestId } = request
      const listing = await getReportableListing(db, params.slug, actor)
      const report = await request.body()
      return async (db) => {
        await fileReport(db, { listing, report, actor, ip, requestId, now: now() }, site)
        return { ok: true }
      }
    },

    async confirmReport(request) {
      const { token } = await request.body()
      const email = await confirmReport(request.db, { token, now: now() }, site)
      if (email !== null) await rememberMailbox(request, { email, publicUrl: site.publicUrl, now: now() })
      return { ok: true }
    },

    async listReports({ db, query }) {
      const [items, { total, open }] = await Promise.all([
        listReported(db, query),
        countReported(db, query.state),
      ])
      return { items, total, open, page: query.page, perPage: query.perPage }
    },

    async decideReport(request) {
      const { db, actor, params, ip, requestId } = request
      await requireReported(db, params.id)
      const { decision, answer } = await request.body()
      if (decision === 'hide') await letGoOfHeld(db, [params.id], { letGo, side: 'admin' })
      await decideReport(db, { listingId: params.id, decision, answer, actor, ip, requestId }, site)
      return { ok: true }
    },

    async publishRest(request) {
      const found = await findImport(request.db, request.params.id)
      if (!found) throw importNotFound()
      await inTransaction(request.db, (trx) => publishRest(trx, found.id, auditActorOf(request)))
      return { ok: true }
    },
  }
}
