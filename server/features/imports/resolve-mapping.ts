import type { CsvForm } from '#contract/csv-form.ts'
import type { ImportMapping } from '#contract/import-fields.ts'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database.ts'
import { wrongField } from './import-order.ts'
import { readMapping } from './mapping.ts'
import { findMapping } from './template-queries.ts'

export type NamedMapping = Pick<CsvForm, 'mappingId' | 'mapping'>

/** Which column is which field, and what a template says of how its files are read. */
export type ResolvedMapping = { readonly mapping: ImportMapping; readonly reading: SaidReading }

/**
 * The mapping that a call names. A template wins over a mapping that was sent along.
 * @throws AppError VALIDATION_FAILED where it names none, or none that the seller has
 */
export async function resolveMapping(db: Db, actor: Actor, named: NamedMapping): Promise<ResolvedMapping> {
  const id = named.mappingId?.trim()
  if (id) {
    const found = await findMapping(db, { id, sellerId: actor.sellerId })
    if (found) return { mapping: found.mapping, reading: found.reading ?? {} }
    throw wrongField('mappingId', 'There is no such mapping template (mappingId). Choose another one.')
  }
  const mapping = named.mapping?.trim() ? readMapping(named.mapping) : {}
  if (Object.keys(mapping).length > 0) return { mapping, reading: {} }
  throw wrongField('mapping', 'mapping or mappingId is required')
}
