import { fitMapping } from '#contract/column-mapping/shipped-templates.ts'
import type { ImportMapping } from '#contract/import-fields.ts'
import { decimalNotes, sampledDecimals } from '#contract/yard-file/decimals.ts'
import type { Reading } from '#contract/yard-file/reading.ts'
import type { Db } from '#server/platform/database.ts'
import { compileRowCheck, type RowCheck } from './check-row.ts'
import type { ImportTerms } from './import-order.ts'
import { type FixedTable, fixTable, type LedgerImport } from './ledger-queries.ts'
import { type RowSource, requireSameHeader } from './row-source.ts'

type Chunk = {
  readonly ledger: LedgerImport
  readonly terms: ImportTerms
  readonly open: (known: FixedTable | undefined) => Promise<RowSource>
  readonly year: number
}

export type OpenChunk = {
  readonly source: RowSource
  readonly mapping: ImportMapping
  readonly check: RowCheck
}

/**
 * Opens a chunk as its import is read. The first one whose header the mapping fits decides that for all: header, reading,
 * and what its values tell of decimal marks where nothing was said. Of several at once one does, and the others are read as
 * that one is.
 * @throws AppError VALIDATION_FAILED, also where the chunk is of another file
 */
export async function openChunk(db: Db, chunk: Chunk): Promise<OpenChunk> {
  const { ledger, open } = chunk
  if (ledger.header) return openAs(chunk, { header: ledger.header, reading: ledger.reading })
  const first = compiled(chunk, await open(undefined))
  const source = await withDecimals(first, chunk.terms)
  const fixed = await fixTable(db, ledger.id, source)
  if (!isReadAs(fixed.reading, source.reading)) return openAs(chunk, fixed)
  requireSameHeader(fixed.header, source.header)
  return source === first.source ? first : compiled(chunk, source)
}

async function openAs(chunk: Chunk, fixed: FixedTable): Promise<OpenChunk> {
  const source = await chunk.open(fixed)
  requireSameHeader(fixed.header, source.header)
  return compiled(chunk, source)
}

function compiled({ terms, year }: Chunk, source: RowSource): OpenChunk {
  const { header, reading } = source
  const mapping = fitMapping(header, terms.mapping, terms.defaults)
  const { defaults } = terms
  const check = compileRowCheck({ header, mapping, defaults, year, decimals: reading?.decimals })
  return { source, mapping, check }
}

/** The encoding may differ: a piece without a single letter beyond ASCII is of any. */
function isReadAs(fixed: Reading | null | undefined, found: Reading | undefined): boolean {
  if (!fixed || !found) return true
  return (
    fixed.delimiter === found.delimiter &&
    fixed.quote === found.quote &&
    fixed.layout === found.layout &&
    fixed.decimals.partprice === found.decimals.partprice &&
    fixed.decimals.partshipping === found.decimals.partshipping
  )
}

// Reading so many takes a twentieth of a second; a yard's prices have shown their cents by then.
const SAMPLE_ROWS = 20_000

/** The source, read with the decimal marks that its first rows tell, which people are told where they are commas. */
async function withDecimals({ source, mapping }: OpenChunk, terms: ImportTerms): Promise<RowSource> {
  const { reading, header } = source
  // Whoever says of one column, or of none, has looked at them.
  if (!reading || terms.reading.decimals !== undefined) return source
  const decimals = sampledDecimals({ header, rows: await sampleOf(source, mapping) }, mapping)
  if (Object.keys(decimals).length === 0) return source
  return {
    ...source,
    reading: { ...reading, decimals },
    notes: () => [...(source.notes?.() ?? []), ...decimalNotes(mapping, decimals)],
  }
}

async function sampleOf({ batches, header }: RowSource, { partprice, partshipping }: ImportMapping) {
  const sample: (readonly string[])[] = []
  if (partprice === undefined && partshipping === undefined) return sample
  for await (const batch of batches) {
    for (const { cells, problem } of batch) if (!problem && cells.length === header.length) sample.push(cells)
    if (sample.length >= SAMPLE_ROWS) break
  }
  return sample
}
