import { sql } from 'kysely'
import { z } from 'zod'
import type { FlagsOf } from '#contract/scripts.ts'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { renameLookup } from '#server/features/lookups/edit-lookups.ts'
import type { LookupActor } from '#server/features/lookups/lookup-changes.ts'
import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import { nameKey } from '#server/features/lookups/lookup-names.ts'
import { mergeLookups } from '#server/features/lookups/merge-lookups.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { inOrder } from '#server/platform/scripts/script-program.ts'
import { type Meaning, type NameDecision, type NamedRecord, NamePlan } from './name-plan.ts'
import type { KnownModel, KnownName, NameVerdict } from './name-verdict.ts'
import { type TaxonomyMatchers, taxonomyMatchers } from './row-resolver.ts'
import { loadTaxonomyNames, type TaxonomyNames } from './taxonomy-queries.ts'

/** Names that were looked at, by lookup. */
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

/** Of lookups that are no more. */
export async function forgetGone(trx: Db): Promise<void> {
  await sql`
    delete from reviewed_name r
    where not exists (select from category t where t.id = r.lookup_id and t.merged_into is null)
      and not exists (select from manufacturer t where t.id = r.lookup_id and t.merged_into is null)
      and not exists (select from car_model t where t.id = r.lookup_id and t.merged_into is null)
  `.execute(trx)
}

/** Who started a job; a schedule is nobody. */
export async function findStarter(db: Db, jobId: string): Promise<string | undefined> {
  const { rows } = await sql<{ by: string | null }>`
    select created_by as by from job where id = ${jobId}
  `.execute(db)
  return rows[0]?.by ?? undefined
}

type CatalogueNames = { has(kind: LookupKind, name: string, manufacturer: string | null): boolean }

/** The names that come with the program, in any case and spacing. */
function catalogueNames(): CatalogueNames {
  const vehicles = readVehicles()
  const keys: Record<LookupKind, ReadonlySet<string>> = {
    category: new Set(readPartTypes().map(({ name }) => nameKey(name))),
    manufacturer: new Set(vehicles.map(({ manufacturer }) => nameKey(manufacturer))),
    car_model: new Set(vehicles.map(({ manufacturer, model }) => keyOf(model, manufacturer))),
  }
  return { has: (kind, name, manufacturer) => keys[kind].has(keyOf(name, manufacturer)) }
}

const keyOf = (name: string, manufacturer: string | null) =>
  manufacturer === null ? nameKey(name) : `${nameKey(manufacturer)}/${nameKey(name)}`

/** All names as they stand, in the order in which they are looked at, and what each may mean. */
export type NameBook = {
  readonly records: Readonly<Record<LookupKind, readonly NamedRecord[]>>
  readonly meaning: Readonly<Record<LookupKind, Meaning>>
}

/** Manufacturers come first: models follow theirs. */
export const KINDS_IN_ORDER = [
  'manufacturer',
  'car_model',
  'category',
] as const satisfies readonly LookupKind[]

/** Reads all lookups: some 40 ms with the names of a full catalogue, as much again for every ten thousand more. */
export async function loadNameBook(db: Db): Promise<NameBook> {
  const names = await loadTaxonomyNames(db)
  const catalogue = catalogueNames()
  const makes = new Map(names.manufacturers.map(({ id, name }) => [id, name]))
  const records = (kind: LookupKind, entries: readonly (KnownName | KnownModel)[]) =>
    entries
      .map((entry) => {
        const manufacturerId = 'manufacturerId' in entry ? entry.manufacturerId : null
        const manufacturer = manufacturerId === null ? null : (makes.get(manufacturerId) ?? '')
        return toRecord(entry, { kind, manufacturerId, manufacturer, catalogue })
      })
      .sort((a, b) => (a.place < b.place ? -1 : 1))
  const all = {
    manufacturer: records('manufacturer', names.manufacturers),
    car_model: records('car_model', names.models),
    category: records('category', names.categories),
  }
  return { records: all, meaning: meanings(names, all) }
}

type Around = Pick<NamedRecord, 'manufacturerId' | 'manufacturer'> & {
  kind: LookupKind
  catalogue: CatalogueNames
}

function toRecord(entry: KnownName, { kind, manufacturerId, manufacturer, catalogue }: Around): NamedRecord {
  const order = [KINDS_IN_ORDER.indexOf(kind), nameKey(manufacturer ?? ''), nameKey(entry.name), entry.id]
  const isOfCatalogue = entry.confirmed && catalogue.has(kind, entry.name, manufacturer)
  return { ...entry, manufacturerId, manufacturer, isOfCatalogue, place: order.join('\n') }
}

/** A provisional name is held against all confirmed ones, a confirmed one against the catalogue: never against itself. */
function meanings(names: TaxonomyNames, all: NameBook['records']): NameBook['meaning'] {
  const catalogueIds = new Set(
    KINDS_IN_ORDER.flatMap((kind) => all[kind].filter((each) => each.isOfCatalogue).map(({ id }) => id)),
  )
  const confirmed = matchersOf(names, (name) => name.confirmed)
  const catalogue = matchersOf(names, ({ id }) => catalogueIds.has(id))
  const ask =
    (match: (matchers: TaxonomyMatchers, record: NamedRecord) => NameVerdict): Meaning =>
    (record) =>
      match(record.confirmed ? catalogue : confirmed, record)
  return {
    manufacturer: ask(({ manufacturers }, { name }) => manufacturers.match(name)),
    car_model: ask(({ models }, { name, manufacturerId }) => models.match(manufacturerId ?? '', name)),
    category: ask(({ categories }, { name }) => categories.match(name)),
  }
}

function matchersOf(names: TaxonomyNames, isAmong: (name: KnownName) => boolean): TaxonomyMatchers {
  return taxonomyMatchers({
    categories: names.categories.filter(isAmong),
    manufacturers: names.manufacturers.filter(isAmong),
    models: names.models.filter(isAmong),
  })
}

type Wish = Pick<FlagsOf<'naming-optimizer'>, 'target' | 'category' | 'manufacturer' | 'model'>

const kinds: Record<Exclude<Wish['target'], 'all' | undefined>, LookupKind> = {
  category: 'category',
  manufacturer: 'manufacturer',
  model: 'car_model',
}

/** Whether a name is one of those asked for. Where names are given, kinds without one are left out. */
export function isWanted(kind: LookupKind, record: NamedRecord, wish: Wish): boolean {
  const { target = 'all', category, manufacturer, model } = wish
  if (target !== 'all' && kinds[target] !== kind) return false
  const goesBy = (wanted: string | undefined, name: string | null, aliases: readonly string[] = []) =>
    wanted === undefined || [name ?? '', ...aliases].some((each) => nameKey(each) === nameKey(wanted))
  switch (kind) {
    case 'category':
      return (
        (category !== undefined || (manufacturer === undefined && model === undefined)) &&
        goesBy(category, record.name, record.aliases)
      )
    case 'manufacturer':
      return (
        (manufacturer !== undefined || (category === undefined && model === undefined)) &&
        goesBy(manufacturer, record.name, record.aliases)
      )
    case 'car_model':
      return (
        (manufacturer !== undefined || model !== undefined || category === undefined) &&
        goesBy(manufacturer, record.manufacturer) &&
        goesBy(model, record.name, record.aliases)
      )
  }
}

type Decided = { readonly record: NamedRecord; readonly decision: NameDecision }

/**
 * Does what was decided about some names, and remembers that they were looked at, in the caller's transaction.
 * @throws AppError where a name is taken or gone by now: then nothing of it may stay
 */
async function applyNames(
  trx: Db,
  { kind, decided, by }: { kind: LookupKind; decided: readonly Decided[]; by: LookupActor },
): Promise<void> {
  for (const { record, decision } of decided) {
    const { id } = record
    if (decision.kind === 'merge') await mergeLookups(trx, { kind, id, into: decision.into.id, by })
    if (decision.kind === 'rename') await renameLookup(trx, { kind, id, name: decision.name, by })
  }
  const names = decided
    .filter(({ decision }) => decision.kind !== 'merge')
    .map(({ record: { id, name }, decision }) => ({
      id,
      name: decision.kind === 'rename' ? decision.name : name,
    }))
  await markReviewed(trx, kind, names)
}

type NameReview = Decided & {
  /** Why it could not be done now: the name was taken or the lookup went meanwhile. */
  readonly problem: string | undefined
  /** It was looked at before. */
  readonly isSkipped: boolean
}

export type Reviewing = {
  readonly db: Db
  readonly by: LookupActor
  readonly dryRun: boolean
  /** Also names that were looked at. */
  readonly force: boolean
  /** All changes of a page in one transaction. */
  readonly inBatches: boolean
  /** Else so many at one time. */
  readonly concurrent: number
  readonly signal: AbortSignal
  readonly inOneTransaction: <T>(work: (trx: Db) => Promise<T>) => Promise<T>
  readonly saveCheckpoint: (last: NamedRecord, reviews: readonly NameReview[]) => Promise<void>
}

const NAMES_A_PAGE = 100

/**
 * Looks at the names of one kind and changes those that should be otherwise, page by page. `all` are what names can be
 * duplicates of, `chosen` those that are looked at.
 */
export async function* reviewNames(
  kind: LookupKind,
  names: { all: readonly NamedRecord[]; chosen: readonly NamedRecord[]; meaning: Meaning },
  reviewing: Reviewing,
): AsyncGenerator<readonly NameReview[]> {
  const plan = new NamePlan(kind, names.all, names.meaning)
  const reviewed = reviewing.force ? new Map<string, string>() : await loadReviewed(reviewing.db, kind)
  for (let from = 0; from < names.chosen.length; from += NAMES_A_PAGE) {
    reviewing.signal.throwIfAborted()
    const page = names.chosen.slice(from, from + NAMES_A_PAGE)
    const isSkipped = ({ id, name }: NamedRecord) => reviewed.get(id) === name
    const decided = page
      .filter((record) => !isSkipped(record))
      .map((record) => ({ record, decision: plan.decide(record) }))
    const problems = reviewing.dryRun ? new Map() : await apply(kind, decided, reviewing)
    const reviews = [
      ...page.filter(isSkipped).map((record) => ({
        record,
        decision: { kind: 'keep' } as const,
        problem: undefined,
        isSkipped: true,
      })),
      ...decided.map((each) => ({ ...each, problem: problems.get(each.record.id), isSkipped: false })),
    ]
    const last = page.at(-1)
    if (last && !reviewing.dryRun) await reviewing.saveCheckpoint(last, reviews)
    yield reviews
  }
}

/** Answers what could not be done. */
async function apply(
  kind: LookupKind,
  decided: readonly Decided[],
  reviewing: Reviewing,
): Promise<Map<string, string>> {
  const isChange = ({ decision }: Decided) => decision.kind === 'merge' || decision.kind === 'rename'
  const changes = decided.filter(isChange)
  const others = decided.filter((each) => !isChange(each))
  const problemOf = (some: readonly Decided[]) => tryAll(kind, some, reviewing)
  if (reviewing.inBatches && (await problemOf(decided)) === undefined) return new Map()
  if (others.length > 0) await problemOf(others)
  const problems = new Map<string, string>()
  const work = async (change: Decided) => ({ change, problem: await problemOf([change]) })
  for await (const { change, problem } of inOrder(changes, reviewing.concurrent, work)) {
    if (problem !== undefined) problems.set(change.record.id, problem)
  }
  return problems
}

async function tryAll(
  kind: LookupKind,
  decided: readonly Decided[],
  { by, inOneTransaction }: Reviewing,
): Promise<string | undefined> {
  try {
    await inOneTransaction((trx) => applyNames(trx, { kind, decided, by }))
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/** What is printed about a name that is not as it should be. */
export function nameLines({ record, decision, problem, isSkipped }: NameReview): string[] {
  if (isSkipped) return []
  const make = record.manufacturer === null ? '' : `${record.manufacturer} `
  const name = `${make}${record.name}`
  const open = problem === undefined ? [] : [`  not done: ${problem}`]
  switch (decision.kind) {
    case 'keep':
      return []
    case 'rename':
      return [`- ${name}`, `+ ${make}${decision.name}`, ...open]
    case 'merge':
      return [`- ${name}`, `+ ${make}${decision.into.name} (merged: ${decision.why})`, ...open]
    case 'ask': {
      const candidates = decision.candidates.map((each) => `${each.name} (${each.confidence})`).join(', ')
      return [`? ${name}: ${decision.reason}${candidates === '' ? '' : ` Candidates: ${candidates}`}`]
    }
  }
}

const count = z.int().min(0)

/** What became of names, over all runs of a job. */
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
  for (const { decision, problem, isSkipped } of reviews) {
    if (isSkipped) sum.skipped += 1
    else if (problem !== undefined) sum.notDone += 1
    else sum[outcomes[decision.kind]] += 1
  }
  return sum
}

export const namesDone = (tally: NamingTally): number =>
  Object.values(tally).reduce((sum, each) => sum + each, 0)
