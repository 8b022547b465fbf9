import { z } from 'zod'
import { bySlug, endpoints } from './endpoint.ts'

/** Public pages about a category, a manufacturer or a model, written by scripts, and the links between pages. */

export const landingKinds = ['category', 'manufacturer', 'model'] as const
export type LandingKind = (typeof landingKinds)[number]

export const pageLink = z.object({
  kind: z.enum([...landingKinds, 'listing']),
  slug: z.string(),
  /** The link’s text. */
  anchor: z.string(),
})
export type PageLink = z.infer<typeof pageLink>

const named = z.object({ name: z.string(), slug: z.string().nullable(), count: z.number().int() })

const landingPage = z.object({
  kind: z.enum(landingKinds),
  /**
   * The current slug. A model’s begins with its make’s: "toyota/camry", or "toyota/camry/alternator" with a category.
   */
  slug: z.string(),
  name: z.string(),
  /** "Toyota Camry alternators" */
  heading: z.string(),
  /** From the list of all parts down to the parent page. */
  breadcrumbs: z.array(z.object({ name: z.string(), path: z.string() })),
  /** The lookup's id, for the list of its parts. */
  lookupId: z.uuid(),
  /** Set if a model's page shows only parts of one category. */
  category: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** Only for a model. */
  manufacturer: z.object({ id: z.uuid(), name: z.string(), slug: z.string().nullable() }).nullable(),
  title: z.string(),
  metaDescription: z.string(),
  intro: z.string(),
  /** Current live parts; search engines should not index a page without any. */
  parts: z.number().int(),
  /** Dollars; null if no part has a price. */
  priceFrom: z.number().nullable(),
  priceTo: z.number().nullable(),
  /** On a model's page, the slugs combine the model with a category. */
  topCategories: z.array(named),
  topManufacturers: z.array(named),
  /** On a page with a category, the slugs combine models with that category. */
  topModels: z.array(named),
  related: z.array(pageLink),
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
    shared: 'late',
    reply: topNames,
    errors: [],
  },
  readLandingPage: {
    summary:
      'The page of a category, manufacturer or model, or of a model’s parts in a category, by a current or earlier slug',
    params: z.object({ kind: z.enum(landingKinds), slug: z.string().min(1).max(320) }),
    shared: 'recent',
    reply: landingPage,
    errors: ['NOT_FOUND'],
  },
  listLandingPages: {
    summary: 'Every page of a kind, by name',
    params: z.object({ kind: z.enum(landingKinds) }),
    shared: 'recent',
    reply: z.array(named),
    errors: ['NOT_FOUND'],
  },
  readRelated: {
    summary: 'Links of a listing’s Related block',
    params: bySlug,
    shared: true,
    reply: z.array(pageLink),
    errors: ['NOT_FOUND'],
  },
})
