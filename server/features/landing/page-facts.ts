import { createHash } from 'node:crypto'
import type { LandingKind } from '#contract/landing.ts'
import type { LandingFacts } from '#server/features/writing/landing-text.ts'

/** What a page is about: a confirmed category, manufacturer or model. */
export type Subject = {
  readonly kind: LandingKind
  readonly id: string
  readonly name: string
  /** Of a model. */
  readonly manufacturer: string | null
  /** Of a category: "Lighting". */
  readonly group: string | null
}

/** One of those a page has most of. A model of another page than its manufacturer's is called with it: "Toyota Camry". */
export type TopName = { readonly id: string; readonly name: string; readonly count: number }

/** What a page's words are made from, as it is stored with them. */
export type PageFacts = {
  readonly parts: number
  readonly priceFromCents: number | null
  readonly priceToCents: number | null
  readonly yearFrom: number | null
  readonly yearTo: number | null
  readonly topCategories: readonly TopName[]
  readonly topManufacturers: readonly TopName[]
  readonly topModels: readonly TopName[]
}

export const NO_PARTS: PageFacts = {
  parts: 0,
  priceFromCents: null,
  priceToCents: null,
  yearFrom: null,
  yearTo: null,
  topCategories: [],
  topManufacturers: [],
  topModels: [],
}

/** "Toyota Camry" of a model, else its own name. */
export const fullName = ({ name, manufacturer }: Pick<Subject, 'name' | 'manufacturer'>): string =>
  manufacturer === null ? name : `${manufacturer} ${name}`

/** Over all that the words are made from: the same hash, the same words. */
export function factsHash(subject: Subject, facts: PageFacts): Buffer {
  const { name, manufacturer, group } = subject
  const { parts, priceFromCents, priceToCents, yearFrom, yearTo } = facts
  const tops = [facts.topCategories, facts.topManufacturers, facts.topModels].map((top) =>
    top.map(({ id, name, count }) => [id, name, count]),
  )
  const all = [name, manufacturer, group, parts, priceFromCents, priceToCents, yearFrom, yearTo, tops]
  return createHash('sha256').update(JSON.stringify(all)).digest()
}

/** The facts as writers take them. */
export function writableFacts({ kind, name, manufacturer, group }: Subject, facts: PageFacts): LandingFacts {
  const names = (top: readonly TopName[]) => top.map((each) => each.name)
  return {
    kind,
    name,
    ...(manufacturer !== null && { manufacturer }),
    ...(group !== null && { group }),
    listings: facts.parts,
    ...(facts.priceFromCents !== null && { priceFromCents: facts.priceFromCents }),
    ...(facts.priceToCents !== null && { priceToCents: facts.priceToCents }),
    ...(facts.yearFrom !== null && { yearFrom: facts.yearFrom }),
    ...(facts.yearTo !== null && { yearTo: facts.yearTo }),
    topCategories: names(facts.topCategories),
    topManufacturers: names(facts.topManufacturers),
    topModels: names(facts.topModels),
  }
}
