/** What is true of the page of a category, a manufacturer or a model at the moment of writing. */
export type LandingFacts = {
  readonly kind: 'category' | 'manufacturer' | 'model'
  /** Of the page's category, manufacturer or model. */
  readonly name: string
  /** The make of a model. */
  readonly manufacturer?: string
  /** The group of a category: "Lighting". */
  readonly group?: string
  readonly listings: number
  readonly priceFromCents?: number
  readonly priceToCents?: number
  readonly yearFrom?: number
  readonly yearTo?: number
  /** Names of what the page has most of, most first; the page's own kind stays empty. */
  readonly topCategories?: readonly string[]
  readonly topManufacturers?: readonly string[]
  readonly topModels?: readonly string[]
}

/** Where a link leads, and where it stands. */
export type AnchorFacts = {
  readonly kind: 'listing' | 'category' | 'manufacturer' | 'model'
  /** Of what it leads to. */
  readonly name: string
  readonly manufacturer?: string
  readonly model?: string
  readonly yearFrom?: number
  readonly yearTo?: number
  /** How many listings stand behind it. */
  readonly listings?: number
  /** Address or id of the page on which it stands, so that not all links to a page read alike. */
  readonly from: string
}
