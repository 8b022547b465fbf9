import { sql } from 'kysely'
import { z } from 'zod'
import type { FlagsOf } from '#contract/admin/scripts.ts'
import { lookupKey, nameKey } from '#contract/trade-language/names.ts'
import type { KnownModel, KnownName, NameVerdict } from '#contract/trade-language/verdicts.ts'
import { openVocabulary, type Vocabulary } from '#contract/trade-language/vocabulary.ts'
import type { VocabularySource } from '#contract/trade-language/vocabulary-source.ts'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { loadVocabularySource } from '#server/features/finding/vocabulary/vocabulary.ts'
import { renameLookup } from '#server/features/market/lookups/edit-lookups.ts'
import type { LookupActor } from '#server/features/market/lookups/lookup-changes.ts'
import type { LookupKind } from '#server/features/market/lookups/lookup-kind.ts'
import { mergeLookups } from '#server/features/market/lookups/merge-lookups.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { inOrder } from '#server/platform/scripts/script-program.ts'
import { type Matching, type MatchRecord, type NameAction, type NamedRecord, NamePlan } from './name-plan.ts'

/*
 * The naming optimizer's work: loads all lookups, applies the planned actions page by page, remembers which names were
 * reviewed, and reports what it did.
 */

/** Reviewed names by lookup id. */
async function loadReviewed(db: Db, kind: LookupKind): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select lookup_id as id, name from reviewed_name where kind = ${kind}
  `.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

async function markReviewed(
  trx: Db,
  kind: LookupKind,
  names: readonly { id: string; name: string }[],
): Promise<void> {
  if (names.length === 0) return
  await sql`
    insert into reviewed_name (kind, lookup_id, name)
    select ${kind}, id, name
    from unnest(${names.map(({ id }) => id)}::uuid[], ${names.map(({ name }) => name)}::text[]) as t(id, name)
    on conflict (kind, lookup_id) do update set name = excluded.name, reviewed_at = now()
  `.execute(trx)
}

/** Removes the marks of lookups that were merged or deleted. */
export async function deleteStaleReviews(trx: Db): Promise<void> {
  await sql`
    delete from reviewed_name r
    where not exists (select from category t where t.id = r.lookup_id and t.merged_into is null)
      and not exists (select from manufacturer t where t.id = r.lookup_id and t.merged_into is null)
      and not exists (select from car_model t where t.id = r.lookup_id and t.merged_into is null)
  `.execute(trx)
}

type CatalogKeys = Record<LookupKind, ReadonlySet<string>>
let keysOfCatalog: CatalogKeys | undefined

/** The names that come with the program. */
function catalogKeys(): CatalogKeys {
  keysOfCatalog ??= readCatalogKeys()
  return keysOfCatalog
}

function readCatalogKeys(): CatalogKeys {
  const vehicles = readVehicles()
  return {
    category: new Set(readPartTypes().map(({ name }) => keyOf(name, null))),
    manufacturer: new Set(vehicles.map(({ manufacturer }) => keyOf(manufacturer, null))),
    car_model: new Set(vehicles.map(({ manufacturer, model }) => keyOf(model, manufacturer))),
  }
}

const keyOf = (name: string, manufacturer: string | null) =>
  manufacturer === null ? lookupKey(name) : `${lookupKey(manufacturer)}/${lookupKey(name)}`

/** All lookups in review order, and how to match them. */
export type NameBook = {
  readonly records: Readonly<Record<LookupKind, readonly NamedRecord[]>>
  readonly match: Readonly<Record<LookupKind, MatchRecord>>
  /** The name of the make that a word means. */
  readonly makeWord: (word: string) => string | undefined
}

/** Manufacturers first, since merging them moves their models. */
const KINDS_IN_ORDER = ['manufacturer', 'car_model', 'category'] as const satisfies readonly LookupKind[]

/** Reads all lookups: about 40 ms for the names of a full catalog, and as much again for each further 10,000. */
export async function loadNameBook(db: Db): Promise<NameBook> {
  const source = await loadVocabularySource(db)
  const names = source.catalog
  const catalog = catalogKeys()
  const makes = new Map(names.manufacturers.map(({ id, name }) => [id, name]))
  const recordsOf = (kind: LookupKind, entries: readonly (KnownName | KnownModel)[]) =>
    entries
      .map((entry): NamedRecord => {
        const manufacturerId = 'manufacturerId' in entry ? entry.manufacturerId : null
        const manufacturer = manufacturerId === null ? null : (makes.get(manufacturerId) ?? '')
        const order = [
          KINDS_IN_ORDER.indexOf(kind),
          lookupKey(manufacturer ?? ''),
          lookupKey(entry.name),
          entry.id,
        ]
        const isInCatalog = entry.confirmed && catalog[kind].has(keyOf(entry.name, manufacturer))
        return { ...entry, manufacturerId, manufacturer, isInCatalog, place: order.join('\n') }
      })
      .sort((a, b) => (a.place < b.place ? -1 : 1))
  const records = {
    manufacturer: recordsOf('manufacturer', names.manufacturers),
    car_model: recordsOf('car_model', names.models),
    category: recordsOf('category', names.categories),
  }
  return { records, match: recordMatchers(source, records), makeWord: makeWordsOf(source) }
}

/** Each record is matched against a set that it is not in itself. */
function recordMatchers(source: VocabularySource, records: NameBook['records']): NameBook['match'] {
  const inCatalog = new Set(
    Object.values(records).flatMap((all) => all.filter(({ isInCatalog }) => isInCatalog).map(({ id }) => id)),
  )
  // A script for a few names may need only one of them.
  let confirmed: Vocabulary | undefined
  let catalog: Vocabulary | undefined
  const matchersFor = ({ confirmed: isConfirmed }: NamedRecord): Vocabulary => {
    if (isConfirmed) {
      catalog ??= matchersOf(source, ({ id }) => inCatalog.has(id))
      return catalog
    }
    confirmed ??= matchersOf(source, (name) => name.confirmed)
    return confirmed
  }
  const matching =
    (match: (matchers: Vocabulary, record: NamedRecord) => NameVerdict): MatchRecord =>
    (record) =>
      match(matchersFor(record), record)
  return {
    manufacturer: matching(({ makes }, { name }) => makes.match(name)),
    car_model: matching(({ models }, { name, manufacturerId }) => models.match(manufacturerId ?? '', name)),
    category: matching(({ partTypes }, { name }) => partTypes.match(name)),
  }
}

function matchersOf(source: VocabularySource, isIncluded: (name: KnownName) => boolean): Vocabulary {
  const { categories, manufacturers, models } = source.catalog
  return openVocabulary({
    ...source,
    catalog: {
      categories: categories.filter(isIncluded),
      manufacturers: manufacturers.filter(isIncluded),
      models: models.filter(isIncluded),
    },
  })
}

/** The make that a nickname stands for: Chevrolet for "chevy". */
function makeWordsOf({ words }: VocabularySource): NameBook['makeWord'] {
  const makes = new Map(
    words.flatMap(({ kind, word, means }) => (kind === 'make' ? [[nameKey(word), means] as const] : [])),
  )
  return (name) => makes.get(nameKey(name))
}

type NameFilter = Pick<FlagsOf<'naming-optimizer'>, 'target' | 'category' | 'manufacturer' | 'model'>

const kinds: Record<Exclude<NameFilter['target'], 'all' | undefined>, LookupKind> = {
  category: 'category',
  manufacturer: 'manufacturer',
  model: 'car_model',
}

/** The kinds that the filter's target leaves, in the order of review. */
export const kindsToReview = ({ target = 'all' }: NameFilter): readonly LookupKind[] =>
  target === 'all' ? KINDS_IN_ORDER : [kinds[target]]

/** If a filter names a category, manufacturer or model, kinds without one are left out. */
export function matchesFilter(kind: LookupKind, record: NamedRecord, filter: NameFilter): boolean {
  const { category, manufacturer, model } = filter
  const isCalled = (wanted: string | undefined, names: readonly (string | null)[]) =>
    wanted === undefined || names.some((name) => lookupKey(name ?? '') === lookupKey(wanted))
  const names = [record.name, ...record.aliases]
  if (kind === 'car_model') {
    const isOther = category !== undefined && manufacturer === undefined && model === undefined
    return !isOther && isCalled(manufacturer, [record.manufacturer]) && isCalled(model, names)
  }
  const wanted = filter[kind]
  const isOther = wanted === undefined && (category ?? manufacturer ?? model) !== undefined
  return !isOther && isCalled(wanted, names)
}

type PlannedName = { readonly record: NamedRecord; readonly action: NameAction }

/**
 * Applies actions and marks the names as reviewed, in the caller's transaction.
 * @throws AppError if a name is taken or a lookup is gone in the meantime; the transaction must then be rolled back
 */
async function applyActions(
  trx: Db,
  { kind, planned, by }: { kind: LookupKind; planned: readonly PlannedName[]; by: LookupActor },
): Promise<void> {
  const reviewed: { id: string; name: string }[] = []
  for (const { record, action } of planned) {
    const { id } = record
    if (action.kind === 'merge') await mergeLookups(trx, { kind, id, into: action.into.id, by })
    else reviewed.push({ id, name: action.kind === 'rename' ? action.name : record.name })
    if (action.kind === 'rename') await renameLookup(trx, { kind, id, name: action.name, by })
  }
  await markReviewed(trx, kind, reviewed)
}

type NameReview = PlannedName & {
  /** Why the action failed: the name was taken or the lookup was deleted in the meantime. */
  readonly problem: string | undefined
  /** It was reviewed before. */
  readonly isSkipped: boolean
}

export type ReviewOptions = {
  readonly db: Db
  readonly by: LookupActor
  readonly dryRun: boolean
  /** Review names that were reviewed before too. */
  readonly force: boolean
  /** Make all changes of a page in one transaction. */
  readonly inBatches: boolean
  /** Otherwise, how many changes to make at a time. */
  readonly concurrent: number
  readonly signal: AbortSignal
  readonly inOneTransaction: <T>(work: (trx: Db) => Promise<T>) => Promise<T>
  readonly saveCheckpoint: (last: NamedRecord, reviews: readonly NameReview[]) => Promise<void>
}

const NAMES_PER_PAGE = 100

/** Reviews the `chosen` names of one kind page by page, and applies the actions. They may be duplicates of any in `all`. */
export async function* reviewNames(
  kind: LookupKind,
  names: { all: readonly NamedRecord[]; chosen: readonly NamedRecord[] } & Matching,
  options: ReviewOptions,
): AsyncGenerator<readonly NameReview[]> {
  const plan = new NamePlan(kind, names.all, names)
  const reviewed = options.force ? new Map<string, string>() : await loadReviewed(options.db, kind)
  for (let from = 0; from < names.chosen.length; from += NAMES_PER_PAGE) {
    options.signal.throwIfAborted()
    const page = names.chosen.slice(from, from + NAMES_PER_PAGE)
    const [skipped = [], others = []] = [true, false].map((isSkipped) =>
      page.filter(({ id, name }) => (reviewed.get(id) === name) === isSkipped),
    )
    const planned = others.map((record) => ({ record, action: plan.actionFor(record) }))
    const problems = options.dryRun ? new Map<string, string>() : await apply(kind, planned, options)
    const reviews: NameReview[] = [
      ...skipped.map((record) => ({
        record,
        action: { kind: 'keep' as const },
        problem: undefined,
        isSkipped: true,
      })),
      ...planned.map((each) => ({ ...each, problem: problems.get(each.record.id), isSkipped: false })),
    ]
    const last = page.at(-1)
    if (last && !options.dryRun) await options.saveCheckpoint(last, reviews)
    yield reviews
  }
}

/** Returns the problems of actions that failed, by record id. */
async function apply(
  kind: LookupKind,
  planned: readonly PlannedName[],
  { by, inBatches, concurrent, inOneTransaction }: ReviewOptions,
): Promise<Map<string, string>> {
  const problemOf = async (some: readonly PlannedName[]) => {
    try {
      await inOneTransaction((trx) => applyActions(trx, { kind, planned: some, by }))
      return undefined
    } catch (error) {
      if (error instanceof AppError) return error.message
      throw error
    }
  }
  if (inBatches && (await problemOf(planned)) === undefined) return new Map()
  const isChange = ({ action }: PlannedName) => action.kind === 'merge' || action.kind === 'rename'
  const unchanged = planned.filter((each) => !isChange(each))
  if (unchanged.length > 0) await problemOf(unchanged)
  const problems = new Map<string, string>()
  const work = async (change: PlannedName) => ({ id: change.record.id, problem: await problemOf([change]) })
  for await (const { id, problem } of inOrder(planned.filter(isChange), concurrent, work)) {
    if (problem !== undefined) problems.set(id, problem)
  }
  return problems
}

/** The log lines for a name that is not kept as it is. */
export function nameLines({ record, action, problem, isSkipped }: NameReview): string[] {
  if (isSkipped) return []
  const make = record.manufacturer === null ? '' : `${record.manufacturer} `
  const name = `${make}${record.name}`
  const failed = problem === undefined ? [] : [`  failed: ${problem}`]
  switch (action.kind) {
    case 'keep':
      return []
    case 'rename':
      return [`- ${name}`, `+ ${make}${action.name}`, ...failed]
    case 'merge':
      return [`- ${name}`, `+ ${make}${action.into.name} (merged: ${action.why})`, ...failed]
    case 'ask': {
      const candidates = action.candidates.map((each) => `${each.name} (${percent(each.confidence)})`)
      const list = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(candidates)
      return [`? ${name}: ${list === '' ? action.reason : `maybe ${list}. ${action.reason}`}`]
    }
  }
}

const count = z.int().min(0)

/** Results over all runs of a job. */
export const namingTally = z.object({
  kept: count,
  renamed: count,
  merged: count,
  unsure: count,
  notDone: count,
  skipped: count,
})
export type NamingTally = z.output<typeof namingTally>

export const NO_NAMES: NamingTally = { kept: 0, renamed: 0, merged: 0, unsure: 0, notDone: 0, skipped: 0 }

const outcomes = { keep: 'kept', rename: 'renamed', merge: 'merged', ask: 'unsure' } as const

export function addNames(tally: NamingTally, reviews: readonly NameReview[]): NamingTally {
  const sum = { ...tally }
  for (const { action, problem, isSkipped } of reviews) {
    if (isSkipped) sum.skipped += 1
    else if (problem !== undefined) sum.notDone += 1
    else sum[outcomes[action.kind]] += 1
  }
  return sum
}

export const reviewedCount = (tally: NamingTally): number =>
  Object.values(tally).reduce((sum, each) => sum + each, 0)

const percent = (share: number) => `${Math.floor(share * 100)}%`
