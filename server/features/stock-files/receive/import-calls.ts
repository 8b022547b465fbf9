import { createHash, randomUUID } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import { suggestColumns } from '#contract/column-mapping/suggest-columns.ts'
import { type ImportMapping, importField, importFields, isPriceList } from '#contract/csv/import-fields.ts'
import type { CsvReply, DryRunReply, ImportMode, StagedReply } from '#contract/imports.ts'
import type { CsvForm, ReadingOverride } from '#contract/yard-file/reading.ts'
import { openTable, type TableFile } from '#server/features/stock-files/table/open-table.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { SpooledFile } from '#server/platform/http/handler.ts'
import { type ImportDeps, importChunk } from './chunk.ts'
import type { ClaimLifetime } from './chunk-claims.ts'
import { type ImportOrder, wrongField } from './import-order.ts'
import { type NamedMapping, resolveMapping } from './mapping-templates.ts'

type ImportCall = {
  readonly actor: Actor
  readonly order: ImportOrder
  readonly mapping: NamedMapping
}

/* A CSV. */

type SentCsv = ImportCall & { readonly file: SpooledFile }

/**
 * Imports a CSV, or one chunk of it. Without a key, each call is an import of its own.
 * @throws AppError VALIDATION_FAILED and those of `importChunk`
 */
export async function importCsv(
  deps: ImportDeps,
  { actor, order, mapping: named, file }: SentCsv,
): Promise<{ reply: CsvReply; replayed: boolean }> {
  const { chunkCount, defaults, place, chunkIndex, dryRun, answers, suggested, readAs } = order
  const { mapping, reading: ofTemplate, templateId } = await resolveMapping(deps.db, actor, named)
  const reading = combineReadings(ofTemplate, order.reading)
  return importChunk(deps, {
    actor,
    key: order.key ?? randomUUID(),
    dryRun,
    terms: {
      ...{ mapping, defaults, place, mode: modeOf(mapping, order), chunkCount, reading },
      ...{ answers, suggested, readAs, templateId, asks: true },
    },
    chunkIndex,
    contentSha256: file.sha256,
    fileName: file.filename,
    open: (known, life) =>
      openTable(watched(file, life), {
        overrides: reading,
        knownHeader: known?.header,
        knownReading: known?.reading ?? undefined,
      }),
  })
}

/** A price list is never the full stock: it ends nothing. */
const modeOf = (mapping: ImportMapping, { mode, defaults }: ImportOrder): ImportMode =>
  isPriceList(mapping, defaults) ? 'add' : mode

/** Detecting how to read a large file takes seconds before its first row; a cancel interrupts that too. */
const watched = (
  file: SpooledFile,
  { signal, bytes }: Pick<ClaimLifetime, 'signal' | 'bytes'>,
): TableFile => ({
  open: () => addAbortSignal(signal, Readable.from(reported(file.open(), bytes), { objectMode: false })),
  blob: () => file.blob(),
})

async function* reported(pieces: Readable, report: () => void): AsyncGenerator<Buffer> {
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    report()
    yield piece
  }
}

/** The call's settings override the template's; row numbers apply to the call's file alone. */
function combineReadings(
  { rowOffset: _, ...ofTemplate }: ReadingOverride,
  ofCall: ReadingOverride,
): ReadingOverride {
  const decimals = { ...ofTemplate.decimals, ...ofCall.decimals }
  const hasDecimals = ofTemplate.decimals !== undefined || ofCall.decimals !== undefined
  return { ...ofTemplate, ...ofCall, ...(hasDecimals && { decimals }) }
}

/* A single part. */

/** One part as a file of one row: its field names are the columns. */
type PartRecord = {
  readonly header: readonly string[]
  readonly cells: readonly string[]
  /** The mapping that its field names imply. */
  readonly mapping: ImportMapping
}

/** Fields of the call rather than the part, as in the form of the CSV call. */
const CALL_FIELDS = [
  'staging',
  'mode',
  'dryRun',
  'idempotencyKey',
  'defaults',
  'adminPreview',
  'mapping',
  'mappingId',
] as const
const isCallField = (name: string) => (CALL_FIELDS as readonly string[]).includes(name)

const MAX_FIELDS = 200

/** Splits the body of a single import into the part and the call's settings. */
export function readPartCall(sent: Record<string, unknown>): { part: PartRecord; form: CsvForm } {
  const form: CsvForm = {}
  for (const name of CALL_FIELDS) {
    const value = sent[name]
    if (value !== undefined && value !== null) form[name] = asText(value)
  }
  return { part: readPartRecord(sent), form }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * Reads a part as programs send it, with numbers and booleans as JSON values. Unknown fields are kept as unmapped columns.
 * @throws AppError VALIDATION_FAILED
 */
function readPartRecord(sent: Record<string, unknown>): PartRecord {
  const entries = Object.entries(sent).filter(([name]) => !isCallField(name))
  if (entries.length > MAX_FIELDS) throw wrongField('body', `A part can have at most ${MAX_FIELDS} fields`)
  const header = entries.map(([name]) => name)
  const cells = entries.map(([name, value]) => textOf(name, value))
  return { header, cells, mapping: mappingByNames(header) }
}

/** Maps fields by their own names, or else by any other name they are known by. */
function mappingByNames(header: readonly string[]): ImportMapping {
  const mapping: ImportMapping = {}
  for (const name of header) {
    const field = importField(name)
    if (field === undefined) continue
    if (mapping[field] !== undefined) throw wrongField(name, `The part has ${field} twice`)
    mapping[field] = name
  }
  const others = suggestColumns(
    header.filter((name) => importField(name) === undefined),
    [],
  )
  for (const field of importFields) {
    const other = others[field]
    if (other?.sure) mapping[field] ??= other.header
  }
  return mapping
}

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw wrongField(name, `${name} must be text or a number`)
}

/** A part's fields may have any names with a mapping or a template, as in a file. */
type SentPart = ImportCall & { readonly part: PartRecord }

/**
 * Imports one part as a file of one row. An invalid one is refused, not kept among rejected rows.
 * @throws AppError VALIDATION_FAILED with its `rows`, and those of `importChunk`
 */
export async function importPart(
  deps: ImportDeps,
  { actor, order, part, mapping: named }: SentPart,
): Promise<{ reply: DryRunReply | StagedReply; replayed: boolean }> {
  const { defaults, place } = order
  const { header, cells } = part
  const { mapping } = isNamed(named) ? await resolveMapping(deps.db, actor, named) : mappingOfPart(part)
  const { reply, replayed } = await importChunk(deps, {
    actor,
    key: order.key ?? randomUUID(),
    dryRun: order.dryRun,
    terms: {
      ...{ mapping, defaults, place, mode: modeOf(mapping, order), chunkCount: 1, reading: {} },
      ...{ answers: {}, suggested: [], asks: false },
    },
    chunkIndex: 0,
    contentSha256: createHash('sha256')
      .update(JSON.stringify([header, cells]))
      .digest('hex'),
    fileName: '',
    refusesInvalid: true,
    open: async () => ({ header, batches: oneBatch([{ row: 2, cells }]), lastRow: () => 2 }),
  })
  if ('received' in reply) throw new Error('a part is an import of one chunk')
  return { reply, replayed }
}

const isNamed = ({ mappingId, mapping }: NamedMapping) => Boolean(mappingId?.trim() || mapping?.trim())

function mappingOfPart({ mapping }: PartRecord): { mapping: ImportMapping } {
  if (Object.keys(mapping).length > 0) return { mapping }
  throw wrongField('partname', 'Send the fields of a part, such as partname and partprice')
}

async function* oneBatch<T>(batch: T[]): AsyncGenerator<T[]> {
  yield batch
}
