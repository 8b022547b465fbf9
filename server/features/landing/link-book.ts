import type { LandingKind } from '#contract/landing.ts'

export type LinkEnd = { readonly kind: LandingKind | 'listing'; readonly id: string }

/** A page as links need it. */
export type BookedPage = {
  readonly kind: LandingKind
  readonly id: string
  readonly name: string
  /** Of a model. */
  readonly manufacturerId: string | null
  readonly manufacturer: string | null
  /** Of a category. */
  readonly groupId: string | null
  readonly parts: number
  /** What it has most of, most first: ids of lookups. */
  readonly topCategories: readonly string[]
  readonly topManufacturers: readonly string[]
  readonly topModels: readonly string[]
}

/** Which pages there are, and which are akin. */
export class LinkBook {
  readonly #pages: Readonly<Record<LandingKind, ReadonlyMap<string, BookedPage>>>
  readonly #byGroup: ReadonlyMap<string | null, readonly BookedPage[]>
  readonly #byMake: ReadonlyMap<string | null, readonly BookedPage[]>
  readonly #makes: readonly BookedPage[]

  constructor(pages: readonly BookedPage[]) {
    const filled = pages.filter(({ parts }) => parts > 0).sort(byParts)
    const of = (wanted: LandingKind) => filled.filter(({ kind }) => kind === wanted)
    const map = (kind: LandingKind) => new Map(of(kind).map((page) => [page.id, page]))
    this.#pages = { category: map('category'), manufacturer: map('manufacturer'), model: map('model') }
    this.#byGroup = Map.groupBy(of('category'), ({ groupId }) => groupId)
    this.#byMake = Map.groupBy(of('model'), ({ manufacturerId }) => manufacturerId)
    this.#makes = of('manufacturer')
  }

  find(kind: LandingKind, id: string | null): BookedPage | undefined {
    return id === null ? undefined : this.#pages[kind].get(id)
  }

  /** Where the page of a lookup leads, apart from listings. */
  relatedTo(page: BookedPage): BookedPage[] {
    switch (page.kind) {
      case 'category':
        return [
          ...this.#but(page, page.groupId === null ? [] : (this.#byGroup.get(page.groupId) ?? [])).slice(
            0,
            5,
          ),
          ...this.#found('manufacturer', page.topManufacturers, 3),
          ...this.#found('model', page.topModels, 3),
        ]
      case 'manufacturer':
        return [
          ...this.#found('model', page.topModels, 5),
          ...this.#found('category', page.topCategories, 3),
          ...akin(page, this.#but(page, this.#makes), 4),
        ]
      case 'model':
        return [
          ...this.#found('manufacturer', page.manufacturerId === null ? [] : [page.manufacturerId], 1),
          ...this.#found('category', page.topCategories, 3),
          ...akin(page, this.#but(page, this.#byMake.get(page.manufacturerId) ?? []), 6),
        ]
    }
  }

  /** Where a listing leads, apart from other listings: its own pages, and what else its model has most of. */
  relatedToListing(listing: ListingPlace): BookedPage[] {
    const model = this.find('model', listing.modelId)
    const others = (model?.topCategories ?? []).filter((id) => id !== listing.categoryId)
    return [
      model,
      this.find('category', listing.categoryId),
      this.find('manufacturer', listing.manufacturerId),
      ...this.#found('category', others, 2),
    ].filter((page) => page !== undefined)
  }

  #found(kind: LandingKind, ids: readonly string[], most: number): BookedPage[] {
    return ids.flatMap((id) => this.find(kind, id) ?? []).slice(0, most)
  }

  #but({ id }: BookedPage, pages: readonly BookedPage[]): BookedPage[] {
    return pages.filter((page) => page.id !== id)
  }
}

export type ListingPlace = {
  readonly categoryId: string | null
  readonly manufacturerId: string | null
  readonly modelId: string | null
}

/** Those that have most of the same kinds of parts; of as many, those with more parts. */
function akin(page: BookedPage, others: readonly BookedPage[], most: number): BookedPage[] {
  const own = new Set(page.topCategories)
  const shared = ({ topCategories }: BookedPage) => topCategories.filter((id) => own.has(id)).length
  return others
    .map((other) => ({ other, shared: shared(other) }))
    .sort((a, b) => b.shared - a.shared || byParts(a.other, b.other))
    .slice(0, most)
    .map(({ other }) => other)
}

const byParts = (a: BookedPage, b: BookedPage) => b.parts - a.parts || (a.id < b.id ? -1 : 1)
