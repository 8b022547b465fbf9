import { z } from 'zod'
import { bySlug, endpoints } from '#contract/endpoint.ts'
import { pageLink } from '#contract/landing.ts'
import { card, idsOf, zipCode } from '#contract/search/parts-search.ts'
import { MAX_FITTED, MAX_VEHICLES } from './garage-limits.ts'
import { publicSeller } from './sellers.ts'

/** What a part's page shows besides the part. */

const fit = z.object({
  /** The donor car, or a seller's statement. */
  source: z.enum(['donor', 'seller']),
  from: z.int(),
  to: z.int(),
  /** Make and model, as written. */
  vehicle: z.string(),
  /** "trim: Sport, without A/C"; '' for any such car. */
  details: z.string(),
  /** Undefined if it is not in the catalog. */
  makeId: z.uuid().optional(),
  modelId: z.uuid().optional(),
})
export type PartFit = z.infer<typeof fit>

const around = z.object({
  seller: publicSeller,
  /** The vehicles that it fits, the donor car first. */
  fits: z.array(fit),
  /** What happened to parts of its number that were bought for a vehicle, in sentences: the words are not sent to every page. */
  evidence: z.array(z.string()),
  /** Other numbers of the part, as stated by its seller and other yards. */
  numbers: z.object({
    /** Also known as. */
    same: z.array(z.string()),
    replaces: z.array(z.string()),
    replacedBy: z.array(z.string()),
    /** What a new seller states about its own part; shown as the seller's word only. */
    sellerSays: z.array(z.string()),
  }),
  /**
   * Breadcrumbs from the list of all parts to the part's make, model and category: the page of each, or else the
   * filtered list. Omits names that are not in the catalog.
   */
  trail: z.array(z.object({ name: z.string(), path: z.string() })),
  /**
   * Other parts of the donor car at the same yard: of its model with its VIN or stock number (`isSame`), or if there
   * are none, with its years.
   */
  vehicle: z.object({ isSame: z.boolean(), parts: z.array(card) }),
  /** Similar parts: of other sellers while it is for sale, of any seller afterwards. */
  similar: z.array(card),
  related: z.array(pageLink),
})
export type AroundPart = z.infer<typeof around>

export const partPageEndpoints = endpoints({
  readAroundPart: {
    summary: 'What a public part’s page shows besides the part: its seller, breadcrumbs, and other parts',
    params: bySlug,
    shared: true,
    reply: around,
    errors: ['NOT_FOUND', 'SELLER_CLOSED'],
  },
  readFits: {
    summary: 'For public parts by id, the vehicles of some models that they fit',
    query: z.object({
      ids: idsOf('ids', 'parts', MAX_FITTED),
      modelIds: idsOf('modelIds', 'models', MAX_VEHICLES),
    }),
    shared: true,
    reply: z.object({ items: z.array(z.object({ id: z.uuid(), fits: z.array(fit) })) }),
    errors: ['VALIDATION_FAILED'],
  },
  readDistance: {
    summary: 'Miles from a ZIP code to a public part; null if the part’s location is unknown',
    params: bySlug,
    query: z.object({ zip: zipCode }),
    shared: true,
    reply: z.object({ miles: z.number().nullable() }),
    errors: ['NOT_FOUND', 'SELLER_CLOSED', 'VALIDATION_FAILED'],
  },
})
