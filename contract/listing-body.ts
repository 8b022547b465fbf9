import { z } from 'zod'
import { type OtherSentName, type SentField, sentFields, specOf } from './listing-fields.ts'

/** A field as a form, a JSON body or a multipart body may carry it: text or a number; null empties it. */
const loose = z.union([z.string(), z.number(), z.null()]).optional()
/** A lookup by id, or as the record that another call answered. */
const looseRef = z
  .union([z.string(), z.object({ id: z.string() }), z.object({ _id: z.string() }), z.null()])
  .optional()

type RecordName = 'partcategory' | 'partmanu'
type Sent = { [Name in SentField | Exclude<OtherSentName, RecordName>]: typeof loose }

const sentNames = sentFields.flatMap((field) => [field, ...(specOf(field).also ?? [])])

/**
 * What create and edit read; everything else is ignored, read-only fields too. The rules of the fields are in
 * `listing-rules.ts`, since they depend on the kind of listing and speak the spec's sentences.
 */
export const listingBody = z.object({
  ...(Object.fromEntries(sentNames.map((name) => [name, loose])) as Sent),
  partcategory: looseRef,
  partmanu: looseRef,
  /** The version that the editor had read; a newer one on the server answers 409. */
  version: loose,
})
export type ListingBody = z.input<typeof listingBody>
