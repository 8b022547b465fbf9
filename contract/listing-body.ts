import { z } from 'zod'

/** A field as a form, a JSON body or a multipart body may carry it: text or a number; null empties it. */
const loose = z.union([z.string(), z.number(), z.null()]).optional()
/** A lookup by id, or as the record that another call answered. */
const looseRef = z
  .union([z.string(), z.object({ id: z.string() }), z.object({ _id: z.string() }), z.null()])
  .optional()

/**
 * What create and edit read; everything else is ignored, read-only fields too. The rules of the fields are in
 * `listing-rules.ts`, since they depend on the kind of listing and speak the spec's sentences.
 */
export const listingBody = z.object({
  partname: loose,
  partdescription: loose,
  /** The quick listing's name for the description. */
  partdesc: loose,
  partcategoryId: loose,
  partcategory: looseRef,
  partmanuId: loose,
  partmanu: looseRef,
  partmanuname: loose,
  partmodel: loose,
  partmodelId: loose,
  parttrim: loose,
  partyear: loose,
  partgrade: loose,
  partnum: loose,
  partprice: loose,
  partquantity: loose,
  partshipping: loose,
  partmiles: loose,
  partdamage: loose,
  partcity: loose,
  partstate: loose,
  zipcode: loose,
  latitude: loose,
  longitude: loose,
  dealername: loose,
  /** The quick listing's names for dealer and phones. */
  partdealer: loose,
  dealerphone: loose,
  phonea: loose,
  phoneb: loose,
  partslug: loose,
  stocknum: loose,
  vin: loose,
  /** The version that the editor had read; a newer one on the server answers 409. */
  version: loose,
})
export type ListingBody = z.input<typeof listingBody>
