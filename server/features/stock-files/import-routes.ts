import type { Readable } from 'node:stream'
import type { importEndpoints } from '#contract/imports.ts'
import type { CsvForm } from '#contract/yard-file/reading.ts'
import { languageRows } from '#server/features/finding/vocabulary/built-in.ts'
import { listTradeWords } from '#server/features/finding/vocabulary/trade-words.ts'
import type { Vehicles } from '#server/features/market/vin/vehicles.ts'
import { confirmPlan, type ImportPolicy } from '#server/features/stock-files/plan/decisions.ts'
import { answerNames, readQuestions } from '#server/features/stock-files/plan/seller-answers.ts'
import { openPartsExport, openRejectedRows } from '#server/features/stock-files/receive/downloads.ts'
import { readShape } from '#server/features/stock-files/receive/file-shapes.ts'
import { importCsv, importPart, readPartCall } from '#server/features/stock-files/receive/import-calls.ts'
import { readImportOrder, wrongField } from '#server/features/stock-files/receive/import-order.ts'
import {
  answerHeld,
  describeImports,
  type FoundImport,
  findImport,
  listImportsOfSeller,
  readReceipt,
  takeFileValues,
  undoImport,
} from '#server/features/stock-files/receive/imports.ts'
import {
  createTemplate,
  deleteTemplate,
  listTemplates,
  readTemplate,
} from '#server/features/stock-files/receive/mapping-templates.ts'
import {
  canReadImport,
  importNotFound,
  isAdminPreview,
  ownsImport,
  type Payouts,
  requireImporter,
  requireTemplateRights,
} from '#server/features/stock-files/receive/policy.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { HandlerRequest, Handlers } from '#server/platform/http/handler.ts'
import { openStreamSlots } from '#server/platform/http/limits/stream-slots.ts'

export type ImportRouteDeps = {
  plans: Db
  files: FileStore
  now: () => Date
  adminPreview: boolean
  vehicles: Vehicles
  policy: ImportPolicy
  payouts: Payouts
  productName: string
}
type Routes = Handlers<typeof importEndpoints>

export function importRoutes(deps: ImportRouteDeps): Routes {
  return { ...templateRoutes(deps), ...exportRoutes(deps), ...runRoutes(deps), ...pastRoutes(deps) }
}

function templateRoutes({
  productName,
  payouts,
}: ImportRouteDeps): Pick<Routes, 'readTradeWords' | 'listMappings' | 'createMapping' | 'deleteMapping'> {
  return {
    async readTradeWords({ db }) {
      const words = await listTradeWords(db)
      const makes = words.flatMap(({ kind, word, means }) => (kind === 'make' ? { word, means } : []))
      return { language: [...languageRows.words], makes }
    },

    listMappings({ db, actor }) {
      requireTemplateRights(actor, payouts)
      return listTemplates(db, { sellerId: actor.sellerId, productName })
    },

    async createMapping({ actor, body }) {
      requireTemplateRights(actor, payouts)
      const template = readTemplate(await body(), actor)
      return (db) => createTemplate(db, { template, productName })
    },

    async deleteMapping({ db, actor, params, ip, requestId }) {
      requireTemplateRights(actor, payouts)
      await deleteTemplate(db, { id: params.id, actor, ip, requestId })
      return { ok: true }
    },
  }
}

// Each export uses a database connection most of the time, and the process has 20.
const EXPORTS = {
  all: 6,
  perCaller: 2,
  busy: 'Several inventories are being downloaded right now. Please try again in a moment.',
}

function exportRoutes({ now }: ImportRouteDeps): Pick<Routes, 'exportParts'> {
  const inPlace = openStreamSlots(EXPORTS)
  return {
    async exportParts({ db, actor }) {
      const stream = inPlace(actor.sellerId, () => openPartsExport(db, actor.sellerId))
      return csvFile(stream, `auto-parts-${now().toISOString().slice(0, 10)}.csv`)
    },
  }
}

const csvFile = (stream: Readable, name: string) => ({
  stream,
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  },
})

type RunRequest =
  | HandlerRequest<typeof importEndpoints.importCsv>
  | HandlerRequest<typeof importEndpoints.importPart>

function runRoutes({
  plans,
  files,
  now,
  adminPreview,
  vehicles,
  policy,
  payouts,
}: ImportRouteDeps): Pick<Routes, 'importPart' | 'importCsv' | 'readShape'> {
  const runDeps = { plans, files, now, vehicles, policy }
  /** Checked before the body is read, and again for an admin preview, which allows dry runs only. */
  const gate = ({ actor, headers }: RunRequest) => {
    const isPreview = isAdminPreview(actor, headers, adminPreview)
    if (!isPreview) requireImporter(actor, payouts)
    return (isDryRun: boolean) => isDryRun || requireImporter(actor, payouts)
  }
  const readOrder = ({ query, headers }: RunRequest, form: CsvForm) =>
    readImportOrder({ form, dryRun: query.dryRun, headerKey: textHeader(headers['idempotency-key']) })
  return {
    async importPart(request) {
      const mayRun = gate(request)
      const { part, form } = readPartCall(await request.body())
      const order = readOrder(request, form)
      mayRun(order.dryRun)
      const { actor, db } = request
      return withReplayHeader(
        request,
        await importPart({ db, ...runDeps }, { actor, order, part, mapping: form }),
      )
    },

    async readShape({ db, actor, body }) {
      requireImporter(actor, payouts)
      const { header } = await body()
      return readShape(db, { sellerId: actor.sellerId, header })
    },

    async importCsv(request) {
      const mayRun = gate(request)
      const form = await request.body()
      const file = await request.upload()
      const order = readOrder(request, form)
      mayRun(order.dryRun)
      if (!file) throw wrongField('file', 'CSV file is required')
      const { actor, db } = request
      return withReplayHeader(
        request,
        await importCsv({ db, ...runDeps }, { actor, order, mapping: form, file }),
      )
    },
  }
}

const textHeader = (header: string | string[] | undefined) =>
  typeof header === 'string' ? header : undefined

function withReplayHeader<R>(request: RunRequest, { reply, replayed }: { reply: R; replayed: boolean }): R {
  if (replayed) request.setHeader('idempotent-replayed', 'true')
  return reply
}

type PastRoutes = Pick<
  Routes,
  | 'listImports'
  | 'readImport'
  | 'confirmImport'
  | 'readReceipt'
  | 'answerHeldRows'
  | 'useFileValues'
  | 'readQuestions'
  | 'answerNames'
  | 'readRejectedRows'
  | 'undoImport'
>

const PER_PAGE = 20

function pastRoutes({ files, now, payouts }: ImportRouteDeps): PastRoutes {
  return {
    async listImports({ db, actor, query }) {
      const { items, total } = await listImportsOfSeller(db, actor.sellerId, {
        page: query.page,
        perPage: PER_PAGE,
      })
      const described = await describeImports(db, items, now())
      return { items: described, total, page: query.page, perPage: PER_PAGE }
    },

    async readImport({ db, actor, params }) {
      return present(db, await getImport(db, { actor, id: params.id, may: canReadImport }))
    },

    async confirmImport({ db, actor, ip, requestId, params, body }) {
      const found = await getImport(db, { actor, id: params.id, may: ownsImport })
      const { planId } = await body()
      await confirmPlan(db, { importId: found.id, planId, actor, ip, requestId })
      return present(db, found)
    },

    async readQuestions({ db, actor, params }) {
      const { id } = await getImport(db, { actor, id: params.id, may: canReadImport })
      return readQuestions(db, id)
    },

    async answerNames({ db, actor, ip, requestId, body }) {
      requireImporter(actor, payouts)
      const { answers } = await body()
      return { ok: true, importIds: await answerNames(db, { actor, ip, requestId, answers }) }
    },

    async readReceipt({ db, actor, params }) {
      return readReceipt(db, files, await getImport(db, { actor, id: params.id, may: canReadImport }))
    },

    async answerHeldRows({ db, actor, ip, requestId, params, body }) {
      const found = await getImport(db, { actor, id: params.id, may: ownsImport })
      const { answer, records } = await body()
      await answerHeld(db, { files, now }, { importId: found.id, answer, records, actor, ip, requestId })
      return readReceipt(db, files, found)
    },

    async useFileValues({ db, actor, ip, requestId, params, body }) {
      const found = await getImport(db, { actor, id: params.id, may: ownsImport })
      const { records } = await body()
      await takeFileValues(db, { importId: found.id, records, actor, ip, requestId })
      return readReceipt(db, files, found)
    },

    async readRejectedRows({ db, actor, params }) {
      const found = await getImport(db, { actor, id: params.id, may: canReadImport })
      return csvFile(await openRejectedRows(db, files, found), `rejected-rows-${found.id}.csv`)
    },

    async undoImport({ db, actor, ip, requestId, params }) {
      const access = { actor, id: params.id, may: ownsImport }
      const { id: importId } = await getImport(db, access)
      return async (trx) => {
        await undoImport(trx, { importId, actor, ip, requestId, now: now() })
        return present(trx, await getImport(trx, access))
      }
    },
  }

  async function present(db: Db, found: FoundImport) {
    const [described] = await describeImports(db, [found], now())
    if (!described) throw new Error('No description of the import')
    return described
  }
}

type ImportAccess = { actor: Actor; id: string; may: (actor: Actor, found: FoundImport) => boolean }

/** An import that the caller may not see does not exist for them. */
async function getImport(db: Db, { actor, id, may }: ImportAccess): Promise<FoundImport> {
  const found = await findImport(db, id)
  if (!found || !may(actor, found)) throw importNotFound()
  return found
}
