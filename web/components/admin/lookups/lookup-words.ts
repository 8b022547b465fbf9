import type { LookupKind, ManagedLookup } from '#contract/lookups.ts'

/** The server stops counting listings here and reports one more. */
const countedTo = 10_000

type KindWords = { one: string; many: string; search: string }

export const kindWords: Record<LookupKind, KindWords> = {
  category: { one: 'category', many: 'categories', search: 'Search categories...' },
  manufacturer: { one: 'manufacturer', many: 'manufacturers', search: 'Search manufacturers...' },
  'car-model': { one: 'car model', many: 'car models', search: 'Search models...' },
}

/** "1 listing", "2,400 listings", "10,000+ listings". */
export function listingCount(listings: number): string {
  if (listings > countedTo) return `${countedTo.toLocaleString('en-US')}+ listings`
  return `${listings.toLocaleString('en-US')} ${listings === 1 ? 'listing' : 'listings'}`
}

const modelCount = (models: number): string =>
  `${models.toLocaleString('en-US')} ${models === 1 ? 'car model' : 'car models'}`

type Used = Pick<ManagedLookup, 'listings' | 'models'>

/** "1,243 listings and 36 car models"; "Unused" if nothing uses the name. */
export function usageWords({ listings, models }: Used): string {
  if (listings === 0 && models === 0) return 'Unused'
  const parts = [listings > 0 && listingCount(listings), models > 0 && modelCount(models)]
  return parts.filter(Boolean).join(' and ')
}

export const isUnused = ({ listings, models }: Used): boolean => listings === 0 && models === 0

/** A model is shown with its manufacturer: "Toyota Camry". */
export const fullName = ({ name, manuname }: Pick<ManagedLookup, 'name' | 'manuname'>): string =>
  manuname === null ? name : `${manuname} ${name}`

export function mergeSentence(from: ManagedLookup, into: ManagedLookup): string {
  const moved = isUnused(from)
    ? `Nothing uses “${fullName(from)}” yet.`
    : `${usageWords(from)} will move from “${fullName(from)}” to “${fullName(into)}”.`
  return `${moved} “${from.name}” becomes another name for “${into.name}”, so files that use it still match. A merge can’t be undone.`
}

/** The mark of a category, as both forms have it. */
export const universalLabel = 'Parts need no vehicle'
