import { z } from 'zod'
import { bySlug, endpoints } from './endpoint.ts'

/** Public pages about a category, a manufacturer or a model, written by scripts, and the links between pages. */

export const landingKinds = ['category', 'manufacturer', 'model'] as const
export type LandingKind = (typeof landingKinds)[number]

const link = z.object({
  kind: z.enum([...landingKinds, 'listing']),
  slug: z.string(),
  /** The link’s text. */
  anchor: z.string(),
})
export type PageLink = z.infer<typeof link>

const named = z.object({ name: z.string(), slug: z.string().nullable(), count: z.number().int() })

const landingPage = z.object({
  kind: z.enum(landingKinds),
  /** Its current slug. */
  slug: z.string(),
  name: z.string(),
  /** The lookup's id, for the list of its parts. */
  lookupId: z.uuid(),
  /** Of a model. */
  manufacturer: z.object({ id: z.uuid(), name: z.string(), slug: z.string().nullable() }).nullable(),
  title: z.string(),
  metaDescription: z.string(),
  intro: z.string(),
  /** Live parts when the page was made. */
  parts: z.number().int(),
  /** Dollars; null if no part has a price. */
  priceFrom: z.number().nullable(),
  priceTo: z.number().nullable(),
  topCategories: z.array(named),
  topManufacturers: z.array(named),
  topModels: z.array(named),
  related: z.array(link),
  updatedAt: z.string(),
})
export type LandingPage = z.infer<typeof landingPage>

const topName = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string().nullable(),
  count: z.number().int(),
})

const topNames = z.object({
  categories: z.array(topName.extend({ group: z.string().nullable() })),
  manufacturers: z.array(topName),
})
export type TopNames = z.infer<typeof topNames>

export const landingEndpoints = endpoints({
  listTopNames: {
    summary: 'The categories and manufacturers with the most parts for sale, most first, for the home page',
    reply: topNames,
    errors: [],
  },
  readLandingPage: {
    summary: 'The page of a category, manufacturer or model, by its current or an earlier slug',
    params: bySlug.extend({ kind: z.enum(landingKinds) }),
    shared: true,
    reply: landingPage,
    errors: ['NOT_FOUND'],
  },
  listLandingPages: {
    summary: 'Every page of a kind, by name',
    params: z.object({ kind: z.enum(landingKinds) }),
    shared: true,
    reply: z.array(named),
    errors: ['NOT_FOUND'],
  },
  readRelated: {
    summary: 'Links of a listing’s Related block',
    params: bySlug,
    shared: true,
    reply: z.array(link),
    errors: ['NOT_FOUND'],
  },
})
