import { sql } from 'kysely'
import { yearSpanText } from '#contract/listing/year-span.ts'
import type { PartsPage } from '#contract/search/parts-search.ts'
import { matchingIds } from '#server/features/search/matches/match-queries.ts'
import type { Search } from '#server/features/search/query/search.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import {
  type ConditionKind,
  conditionsOf,
  type DroppedConditions,
  type Meanings,
  toSearch,
} from './meant-search.ts'
import type { Understanding } from './words/understand.ts'

/* Relaxed searches: if no part meets all conditions, drops as few important ones as possible until parts are found. */

/** A search that finds parts without some of the conditions. */
export type Relaxed = { search: Search; without: DroppedConditions }

// How much each condition matters to a buyer; the sum for a combination is kept low.
const LOSS: Record<ConditionKind, number> = {
  end: 1,
  size: 2,
  // The part of another year may fit; that of the other side never does.
  year: 3,
  side: 4,
  words: 4,
  seller: 4,
  model: 5,
  number: 5,
  make: 8,
  part: 9,
}
// Each combination takes a query, and results without five conditions are no longer what was asked for.
const MOST_DROPPED = 5

/** Returns the first relaxed search that finds parts, or undefined. Other parts are found only if all else finds nothing. */
export async function relax(db: Db, base: Search, meanings: Meanings): Promise<Relaxed | undefined> {
  const named = conditionsOf(meanings.meant)
  // A year chosen in the filters belongs to a vehicle there; a year alone is what the buyer insists on.
  const isOfVehicle = base.manufacturerId !== undefined || base.carModelId !== undefined
  const hasYear = isOfVehicle && base.facts.year !== undefined && !named.includes('year')
  const kinds: ConditionKind[] = hasYear ? [...named, 'year'] : named
  for (const isOther of [false, true]) {
    for (let count = 0; count <= Math.min(MOST_DROPPED, kinds.length); count += 1) {
      const combinations = combinationsToDrop(kinds, { count, isOther })
      const found = await findFirstMatch(db, base, { meanings, combinations })
      if (found) return found
    }
  }
  return undefined
}

type Combinations = { meanings: Meanings; combinations: readonly DroppedConditions[] }

async function findFirstMatch(
  db: Db,
  base: Search,
  { meanings, combinations }: Combinations,
): Promise<Relaxed | undefined> {
  const tried = combinations.flatMap((without) => {
    const search = toSearch(base, meanings, without)
    return search?.words || search?.meant ? [{ search, without }] : []
  })
  if (tried.length === 0) return undefined
  const found = tried.map(({ search }) => sql`exists (${matchingIds(search)})`)
  const { rows } = await sql<{ found: boolean[] }>`select array[${sql.join(found)}] as found`.execute(db)
  const first = onlyRow(rows).found.indexOf(true)
  return tried[first]
}

// Later combinations differ only in ways that few buyers care about.
const MOST_COMBINATIONS = 40

/**
 * Combinations of this many conditions to leave out, with or without the part, least loss first; a make only after its
 * model.
 */
function combinationsToDrop(
  kinds: readonly ConditionKind[],
  { count, isOther }: { count: number; isOther: boolean },
): DroppedConditions[] {
  if (count === 0) return kinds.includes('part') && !isOther ? [{ dropped: [], mentions: true }] : []
  const loss = (dropped: readonly ConditionKind[]) => dropped.reduce((sum, kind) => sum + LOSS[kind], 0)
  const sets = subsets(kinds, count).filter(
    (dropped) =>
      dropped.includes('part') === isOther &&
      (!dropped.includes('make') || dropped.includes('model') || !kinds.includes('model')),
  )
  const combinations: DroppedConditions[] = sets
    .toSorted((a, b) => loss(a) - loss(b))
    .map((dropped) => ({ dropped }))
  if (count === 1 && kinds.includes('words') && !isOther) combinations.push({ dropped: [], anyWord: true })
  return combinations.slice(0, MOST_COMBINATIONS)
}

function subsets<T>(all: readonly T[], count: number): T[][] {
  if (count === 0) return [[]]
  return all.flatMap((first, at) => subsets(all.slice(at + 1), count - 1).map((rest) => [first, ...rest]))
}

type RelaxedNotice = NonNullable<PartsPage['relaxed']>

/** Describes what was left out and what was found instead. */
export function relaxedNotice(
  { dropped, anyWord }: DroppedConditions,
  { meant, year, total }: { meant: Understanding; year: number | undefined; total: string },
): RelaxedNotice | undefined {
  if (anyWord) {
    return {
      sentence: `No part has all of “${meant.words.join(' ')}”; ${total} with some of it.`,
      dropped: ['words'],
    }
  }
  const missing = dropped.flatMap(
    (kind) => labelOf(kind, meant) ?? (kind === 'year' && year !== undefined ? String(year) : []),
  )
  if (missing.length === 0) return undefined
  const [only, ...more] = dropped
  const instead = only !== undefined && more.length === 0 ? INSTEAD[only] : 'without that'
  return {
    sentence: `No ${missing.join(', ')}; ${total} ${instead}.`,
    dropped: [...new Set(dropped.map((kind) => (kind === 'end' ? 'side' : kind)))],
  }
}

const INSTEAD: Record<ConditionKind, string> = {
  end: 'for the other end or either',
  size: 'in other sizes',
  side: 'for the other side or either',
  year: 'for other years',
  words: 'without it',
  seller: 'from other sellers',
  model: 'for other models',
  number: 'without that number',
  make: 'for other makes',
  part: 'other parts',
}

function labelOf(
  kind: ConditionKind,
  { recognized, words, years, end, vehicle }: Understanding,
): string | undefined {
  const labels = (chip: string) =>
    recognized.flatMap((one) => (one.kind === chip ? one.label : [])).join(', ') || ofVin(chip)
  // A VIN has one label for the whole car.
  const ofVin = (chip: string) => {
    if (chip === 'year' && years) return yearSpanText(years)
    if (chip === 'model') return vehicle?.models[0]?.label
    return chip === 'make' ? vehicle?.makes.join(' or ') : undefined
  }
  if (kind === 'words') return `“${words.join(' ')}”`
  if (kind === 'end') return end
  if (kind === 'side') return labels('side')?.toLowerCase()
  // The make is dropped together with its model, and the sentence names the model.
  if (kind === 'make' && (vehicle?.models.length ?? 0) > 0) return undefined
  return labels(kind)
}
