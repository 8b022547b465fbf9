import { sql } from 'kysely'
import type { ListingField } from '#contract/listing/listing-fields.ts'
import type { ListingText } from '#contract/listing/listing-rules.ts'
import {
  type Restriction,
  restrictingFields,
  restrictionsOf,
  type SellerStanding,
} from '#contract/listing/restricted-parts.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/* Restricted parts (`contract/listing/restricted-parts.ts`): the seller's licenses and certificates, and recalls. */

/** Whether a change of these fields has to be checked. */
export const changesRestriction = (text: ListingText): boolean =>
  restrictingFields.some((field) => text[field] !== undefined)

/** Finds sellers' licenses and certificates, by seller id. */
export async function findStandings(
  db: Db,
  sellerIds: readonly string[],
): Promise<ReadonlyMap<string, SellerStanding>> {
  const { rows } = await sql<SellerStanding & { id: string }>`
    select id, certified, coalesce(listing_defaults ->> 'license', '') <> '' as license
    from seller where id = any(${[...new Set(sellerIds)]}::uuid[])
  `.execute(db)
  return new Map(rows.map(({ id, ...standing }) => [id, standing]))
}

/** One key for all spellings of a recalled part number. */
export const recallKey = (number: string): string => number.replaceAll(/[^a-z0-9]/gi, '').toUpperCase()

/**
 * Loads all recalls and returns a lookup of the reason by part number: there are a few thousand recalls, and a file can
 * have a million rows.
 */
export async function loadRecalls(db: Db): Promise<(number: string | undefined) => string | undefined> {
  const { rows } = await sql<{ key: string; reason: string }>`
    select number_key as key, reason from recalled_part
  `.execute(db)
  const reasons = new Map(rows.map(({ key, reason }) => [key, reason]))
  return (number = '') => (reasons.size === 0 ? undefined : reasons.get(recallKey(number)))
}

/** Replaces the list of recalled part numbers; returns how many it has now. */
export function replaceRecalls(
  db: Db,
  recalls: readonly { number: string; reason: string }[],
): Promise<number> {
  const byKey = new Map(recalls.map((recall) => [recallKey(recall.number), recall]))
  byKey.delete('')
  const rows = [...byKey].map(([key, recall]) => ({ key, ...recall }))
  return inTransaction(db, async (trx) => {
    await sql`delete from recalled_part`.execute(trx)
    await sql`
      insert into recalled_part (number_key, number, reason)
      select key, number, reason from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(key text, number text, reason text)
    `.execute(trx)
    return rows.length
  })
}

export type RestrictedPart = { sellerId: string; text: ListingText; category: string | undefined }

/** The missing requirements of each part, in order. */
export async function findRestrictions(db: Db, parts: readonly RestrictedPart[]): Promise<Restriction[][]> {
  if (parts.length === 0) return []
  const standings = await findStandings(
    db,
    parts.map(({ sellerId }) => sellerId),
  )
  const recallOf = await loadRecalls(db)
  return parts.map(({ sellerId, text, category }) =>
    restrictionsOf({ ...text, category }, standings.get(sellerId) ?? NOTHING, recallOf(text.partnum)),
  )
}

const NOTHING: SellerStanding = { license: false, certified: false }

/** A sentence for each field where something is missing. */
export function restrictedFields(
  restrictions: readonly Restriction[],
): Partial<Record<ListingField, string>> {
  const fields: Partial<Record<ListingField, string>> = {}
  for (const { field, sentence } of restrictions) {
    fields[field] = fields[field] ? `${fields[field]} ${sentence}` : sentence
  }
  return fields
}

/** @throws AppError VALIDATION_FAILED that says what is missing */
export async function requireUnrestricted(db: Db, part: RestrictedPart): Promise<void> {
  const [found = []] = await findRestrictions(db, [part])
  if (found.length === 0) return
  throw new AppError('VALIDATION_FAILED', found.map(({ sentence }) => sentence).join(' '), {
    fields: restrictedFields(found),
  })
}
