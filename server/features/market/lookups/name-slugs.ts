import { sql } from 'kysely'
import { pageSlug, slugOf } from '#server/features/finding/addresses/addresses.ts'
import type { Db } from '#server/platform/database/database.ts'
import { loadCatalogNames } from './catalog-names.ts'
import { keptWithLookups } from './lookup-changes.ts'
import { type LookupKind, pageKindOf } from './lookup-kind.ts'

/*
 * Lookups by the slugs of their names, as filters name them in addresses: `make=toyota&model=camry`. A former or another
 * name finds its lookup too, and so does the id of a lookup that was merged.
 */

export type NameWithSlug = {
  readonly id: string
  readonly name: string
  readonly slug: string
  /** Only for a model. */
  readonly manufacturerId?: string
}

export type NameSlugs = {
  byId(id: string): NameWithSlug | undefined
  bySlug(kind: 'category' | 'manufacturer', slug: string): NameWithSlug | undefined
  /** The models with this slug, of one make or of all. */
  models(slug: string, manufacturerId?: string): readonly NameWithSlug[]
}

export const readNameSlugs = keptWithLookups(loadNameSlugs)

async function loadNameSlugs(db: Db): Promise<NameSlugs> {
  const [{ categories, manufacturers, models }, heirs] = await Promise.all([
    loadCatalogNames(db),
    listHeirs(db),
  ])
  const modelsOf = Map.groupBy(models, ({ manufacturerId }) => manufacturerId)
  const named = {
    category: new Names('category', categories),
    manufacturer: new Names('manufacturer', manufacturers),
  }
  const ofMakes = new Map(Array.from(modelsOf, ([id, own]) => [id, new Names('car_model', own)] as const))
  const allModels = [...ofMakes.values()]
  const all = [...Object.values(named), ...allModels].flatMap((names) => names.all)
  const byId = new Map(all.map((one) => [one.id, one]))
  return {
    byId: (id) => byId.get(heirs.get(id) ?? id),
    bySlug: (kind, slug) => named[kind].find(slug),
    models(slug, manufacturerId) {
      if (manufacturerId !== undefined) {
        const found = ofMakes.get(manufacturerId)?.find(slug)
        return found ? [found] : []
      }
      const found = allModels.flatMap((names) => names.find(slug) ?? [])
      const exact = found.filter((one) => one.slug === slug)
      if (exact.length > 0) return exact
      // One name per address: the other spelling may mean several.
      return found.filter((one) => one.slug === found[0]?.slug)
    },
  }
}

type Named = {
  readonly id: string
  readonly name: string
  readonly aliases: readonly string[]
  readonly confirmed: boolean
  readonly manufacturerId?: string
}

/** Names that must differ in their slugs: all of a kind, or the models of one make. */
class Names {
  readonly all: readonly NameWithSlug[]
  readonly #bySlug: ReadonlyMap<string, NameWithSlug>
  /** By letters and digits: other names, and other spellings of a slug. */
  readonly #byLetters = new Map<string, NameWithSlug>()

  constructor(kind: LookupKind, names: readonly Named[]) {
    const pageName = (id: string, name: string) => ({ kind: pageKindOf(kind), id, name, makeSlug: null })
    const bySlug = new Map<string, NameWithSlug>()
    // A confirmed name keeps its slug, whatever sellers' files add later.
    const ordered = names.toSorted(
      (a, b) => Number(b.confirmed) - Number(a.confirmed) || (a.id < b.id ? -1 : 1),
    )
    for (const { id, name, manufacturerId } of ordered) {
      const slug = pageSlug(pageName(id, name), (plain) => bySlug.has(plain))
      bySlug.set(slug, { id, name, slug, ...(manufacturerId !== undefined && { manufacturerId }) })
    }
    this.#bySlug = bySlug
    this.all = [...bySlug.values()]
    const byId = new Map(this.all.map((one) => [one.id, one]))
    const note = (text: string, one: NameWithSlug | undefined) => {
      const key = lettersOf(text)
      if (one && key !== '' && !this.#byLetters.has(key)) this.#byLetters.set(key, one)
    }
    for (const one of this.all) note(one.slug, one)
    for (const { id, aliases } of ordered) {
      for (const alias of aliases) note(slugOf(pageName(id, alias)), byId.get(id))
    }
  }

  find(slug: string): NameWithSlug | undefined {
    return this.#bySlug.get(slug) ?? this.#byLetters.get(lettersOf(slug))
  }
}

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** The lookups that merged ones became, even after their rows were deleted. */
async function listHeirs(db: Db): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; heir: string }>`
    select lookup_id as id, heir_id as heir from landing_heir
    union all select id, merged_into from category where merged_into is not null
    union all select id, merged_into from manufacturer where merged_into is not null
    union all select id, merged_into from car_model where merged_into is not null
  `.execute(db)
  return new Map(rows.map(({ id, heir }) => [id, heir]))
}
