import { sql } from 'kysely'
import type { PartsPage, PartsQuery } from '#contract/search/parts-search.ts'
import { whyGone } from '#server/features/market/for-sale/for-sale.ts'
import {
  type NameSlugs,
  type NameWithSlug,
  readNameSlugs,
} from '#server/features/market/lookups/name-slugs.ts'
import { shownName } from '#server/features/people/yard-names/shown-name.ts'
import type { Db } from '#server/platform/database/database.ts'

/** A filter by the slug of a name. */
type NameParameter = 'make' | 'model' | 'category'

/** Resolves a query's filters by their slugs and ids. */
export type NamedFilters = {
  /** The same query with the current slug of each name, and the current id in place of a merged one. */
  readonly query: PartsQuery
  /** The resolved filters. */
  readonly ids: {
    readonly categoryId: string | undefined
    readonly manuId: string | undefined
    readonly modelIds: readonly string[]
  }
  readonly names: FilterNames
  /** The names with their slugs, for links. */
  readonly chosen: PartsPage['chosen']
  /** Slugs that no name has. They filter nothing. */
  readonly unknown: readonly NameParameter[]
}

/** The names of a query's filters. */
export type FilterNames = Record<'category' | 'make' | 'model' | 'seller', string | null>

const NO_NAMES: FilterNames = { category: null, make: null, model: null, seller: null }

/** An id takes precedence over a slug. */
export async function readNamedFilters(db: Db, query: PartsQuery): Promise<NamedFilters> {
  const seller = query.seller ? await findSellerName(db, query.seller) : null
  if (parameters.every((name) => !query[name] && !query[IDS[name]])) {
    const ids = { categoryId: undefined, manuId: undefined, modelIds: [] }
    return { query, ids, names: { ...NO_NAMES, seller }, chosen: undefined, unknown: [] }
  }
  const found = findNamed(await readNameSlugs(db), query)
  const { make, model, category, models } = found
  const named = parameters.flatMap((name) => {
    const one = found[name]
    return one ? [[name, one] as const] : []
  })
  return {
    query: { ...query, ...current(query, found) },
    ids: {
      categoryId: (category?.id ?? query.categoryId) || undefined,
      manuId: (make?.id ?? query.manuId) || undefined,
      modelIds: models.length === 0 && query.modelId ? [query.modelId] : models.map(({ id }) => id),
    },
    names: {
      category: category?.name ?? null,
      make: make?.name ?? null,
      model: model?.name ?? null,
      seller,
    },
    chosen: Object.fromEntries(named.map(([name, { slug, name: label }]) => [name, { slug, name: label }])),
    unknown: parameters.filter((name) => query[name] && !query[IDS[name]] && !found[name]),
  }
}

const parameters = ['make', 'model', 'category'] as const
const IDS = { make: 'manuId', model: 'modelId', category: 'categoryId' } as const

type Found = Partial<Record<NameParameter, NameWithSlug>> & { readonly models: readonly NameWithSlug[] }

function findNamed(book: NameSlugs, query: PartsQuery): Found {
  const { categoryId, manuId, modelId } = query
  const bySlug = (kind: 'category' | 'manufacturer', slug: string | undefined) =>
    slug ? book.bySlug(kind, slug) : undefined
  const category = categoryId ? book.byId(categoryId) : bySlug('category', query.category)
  const chosenMake = manuId ? book.byId(manuId) : bySlug('manufacturer', query.make)
  const modelOfId = modelId ? book.byId(modelId) : undefined
  const ofSlug = query.model && !modelId ? book.models(query.model, chosenMake?.id) : []
  const models = modelOfId ? [modelOfId] : ofSlug
  // An id means its model of its make.
  const make = chosenMake ?? (modelOfId?.manufacturerId ? book.byId(modelOfId.manufacturerId) : undefined)
  const [model] = models
  return { ...(make && { make }), ...(model && { model }), ...(category && { category }), models }
}

/** The parameters that were given, with what they are now. */
const current = (query: PartsQuery, found: Found): Partial<PartsQuery> =>
  Object.fromEntries(
    parameters.flatMap((name): [string, string][] => {
      const one = found[name]
      if (!one) return []
      if (query[IDS[name]]) return [[IDS[name], one.id]]
      return query[name] ? [[name, one.slug]] : []
    }),
  )

async function findSellerName(db: Db, slug: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select ${shownName(sql`s.id`, sql`s.name`)} as name from seller s where s.slug = ${slug} and ${whyGone(sql`s.id`)} is null
  `.execute(db)
  return rows[0]?.name ?? null
}
