import { sql } from 'kysely'
import { lookupKey } from '#contract/trade-language/names.ts'
import type { BesideModel } from '#contract/trade-language/verdicts.ts'
import type { Db } from '#server/platform/database/database.ts'
import { remembering } from '#server/platform/recent-values.ts'
import { keptWithLookups } from './lookup-changes.ts'
import type { LookupKind } from './lookup-kind.ts'

/** A lookup with the name to write into a listing. */
type NamedLookup = {
  readonly id: string
  readonly name: string
  /** Of a category whose parts need no vehicle. */
  readonly universal?: boolean
} & BesideModel

/** `keys` contains the key of the name first, then those of all aliases. */
type Entry = NamedLookup & {
  readonly keys: readonly string[]
  /** Implied facts, by alias key. */
  readonly beside?: Readonly<Record<string, BesideModel>>
}

/** All lookups by the keys of their names and aliases. */
type NameIndex = {
  readonly category: ReadonlyMap<string, NamedLookup>
  readonly manufacturer: ReadonlyMap<string, NamedLookup>
  /** By the manufacturer's id. */
  readonly models: ReadonlyMap<string, ReadonlyMap<string, NamedLookup>>
}

type LookupQuestionKey = {
  readonly kind: LookupKind
  /** Only for a model. */
  readonly manufacturerId: string | null
  readonly key: string
}

/** The lookups behind names as spelled in a file. */
export type FoundNames = {
  categories: readonly (NamedLookup & { spelling: string })[]
  manufacturers: readonly (NamedLookup & { spelling: string })[]
  models: readonly (NamedLookup & { spelling: string; manufacturerId: string })[]
}

/** Finds lookups by name or alias, ignoring case and spaces, in memory: a file has few names but a million rows. */
export type LookupNames = {
  category(name: string): NamedLookup | undefined
  manufacturer(name: string): NamedLookup | undefined
  model(manufacturerId: string, name: string): NamedLookup | undefined
  /**
   * Whether the name awaits a decision and so stays text instead of becoming a lookup. A model needs its manufacturer.
   */
  isUndecided(kind: LookupKind, name: string, manufacturerId?: string): boolean
  /** Adds what the database found or created. */
  learn(found: FoundNames): void
}

const keptIndex = keptWithLookups(loadNameIndex)

/** @param through the connection to ask; it must not have changed lookups */
export async function openLookupNames(db: Db, through: Db = db): Promise<LookupNames> {
  const index = await keptIndex(db, through)
  // They come with each file and so are not kept.
  return lookupNames(index, await listQuestionKeys(through))
}

function lookupNames(index: NameIndex, questions: readonly LookupQuestionKey[]): LookupNames {
  const category = new Map<string, NamedLookup>()
  const manufacturer = new Map<string, NamedLookup>()
  const models = new Map<string, Map<string, NamedLookup>>()
  const undecided = new Set(
    questions.map(({ kind, manufacturerId, key }) => `${kind}/${manufacturerId ?? ''}/${key}`),
  )
  const keyOf = remembering(lookupKey, SPELLINGS_REMEMBERED)
  type Named = ReadonlyMap<string, NamedLookup> | undefined
  const find = (name: string, learned: Named, known: Named) => {
    const key = keyOf(name)
    return learned?.get(key) ?? known?.get(key)
  }
  return {
    category: (name) => find(name, category, index.category),
    manufacturer: (name) => find(name, manufacturer, index.manufacturer),
    model: (manufacturerId, name) => find(name, models.get(manufacturerId), index.models.get(manufacturerId)),
    isUndecided: (kind, name, manufacturerId = '') =>
      undecided.size > 0 && undecided.has(`${kind}/${manufacturerId}/${keyOf(name)}`),
    learn(found) {
      for (const entry of found.categories) category.set(lookupKey(entry.spelling), plain(entry))
      for (const entry of found.manufacturers) manufacturer.set(lookupKey(entry.spelling), plain(entry))
      for (const entry of found.models) {
        const own = models.get(entry.manufacturerId) ?? new Map<string, NamedLookup>()
        models.set(entry.manufacturerId, own.set(lookupKey(entry.spelling), plain(entry)))
      }
    },
  }
}

function byKey(entries: readonly Entry[]): Map<string, NamedLookup> {
  const map = new Map(
    entries.flatMap((entry) =>
      entry.keys.map((key): [string, NamedLookup] => [key, { ...plain(entry), ...entry.beside?.[key] }]),
    ),
  )
  // A name takes precedence over another lookup's alias.
  for (const entry of entries) if (entry.keys[0]) map.set(entry.keys[0], plain(entry))
  return map
}

const plain = ({ id, name, universal }: NamedLookup): NamedLookup => ({
  id,
  name,
  ...(universal && { universal }),
})

// A column with many more spellings does not contain names.
const SPELLINGS_REMEMBERED = 10_000

/** What a model's aliases imply, by alias key; an aggregate over the rows of `car_model_alias`. */
export const besideModel = (aliases: string) => sql`
  coalesce(
    jsonb_object_agg(
      ${sql.ref(`${aliases}.alias_key`)},
      jsonb_strip_nulls(jsonb_build_object(
        'bodyStyle', ${sql.ref(`${aliases}.body_style`)}, 'trim', ${sql.ref(`${aliases}.trim_name`)}))
    ) filter (where ${sql.ref(`${aliases}.body_style`)} is not null or ${sql.ref(`${aliases}.trim_name`)} is not null),
    '{}'
  )`

/** Includes provisional lookups but not merged ones. */
async function loadNameIndex(db: Db): Promise<NameIndex> {
  const entriesOf = async <E extends Entry>(kind: LookupKind, more = sql``) => {
    const { rows } = await sql<E>`
      select l.id, l.name, ${more} array_prepend(l.name_key, array_remove(array_agg(a.alias_key), null)) as keys
      from ${sql.table(kind)} l left join ${sql.table(`${kind}_alias`)} a on ${sql.ref(`a.${kind}_id`)} = l.id
      where l.merged_into is null group by l.id
    `.execute(db)
    return rows
  }
  const [categories, manufacturers, models] = await Promise.all([
    entriesOf('category', sql`coalesce(l.universal, false) as universal,`),
    entriesOf('manufacturer'),
    entriesOf<Entry & { readonly manufacturerId: string }>(
      'car_model',
      sql`l.manufacturer_id as "manufacturerId", ${besideModel('a')} as beside,`,
    ),
  ])
  const modelsOf = Map.groupBy(models, ({ manufacturerId }) => manufacturerId)
  return {
    category: byKey(categories),
    manufacturer: byKey(manufacturers),
    models: new Map(Array.from(modelsOf, ([manufacturerId, own]) => [manufacturerId, byKey(own)])),
  }
}

/*
 * Inserts are in key order, so that two imports with the same names cannot deadlock; the second one finds the names of
 * the first.
 */

/** Who makes new names: an administrator, whose names are confirmed at once, or a yard by its file, whose names are its own. */
export type MadeBy = 'administrator' | { readonly sellerId: string } | undefined

const yardOf = (by: MadeBy) => (typeof by === 'object' ? by.sellerId : null)

export async function insertProvisionalNames(
  trx: Db,
  kind: 'category' | 'manufacturer',
  { changeSetId, names, by }: { changeSetId: string; names: readonly string[]; by: MadeBy },
): Promise<void> {
  await sql`
    with made as (
      insert into ${sql.table(kind)} (name, confirmed, made_by)
      select distinct on (name_key(name)) name, ${by === 'administrator'}, ${yardOf(by)}::uuid from unnest(${names}::text[]) as name
      where not exists (select from ${sql.table(`${kind}_alias`)} where alias_key = name_key(name))
      order by name_key(name)
      on conflict on constraint ${sql.ref(`${kind}_name_unique`)} do nothing
      returning id, name
    )
    ${noteMade(changeSetId, kind)}
  `.execute(trx)
}

const noteMade = (changeSetId: string, kind: LookupKind) => sql`
  insert into lookup_change (change_set_id, kind, lookup_id, changes)
  select ${changeSetId}, ${kind}, id, jsonb_build_object('name', jsonb_build_array(null, name)) from made`

export type NewModel = { readonly manufacturerId: string; readonly model: string }

export async function insertProvisionalModels(
  trx: Db,
  { changeSetId, models, by }: { changeSetId: string; models: readonly NewModel[]; by: MadeBy },
): Promise<void> {
  await sql`
    with made as (
      insert into car_model (manufacturer_id, name, confirmed, made_by)
      select distinct on (manufacturer_id, name_key(model)) manufacturer_id, model, ${by === 'administrator'}, ${yardOf(by)}::uuid
      from unnest(${models.map(({ manufacturerId }) => manufacturerId)}::uuid[],
                  ${models.map(({ model }) => model)}::text[]) as t(manufacturer_id, model)
      where not exists (select from car_model_alias a
                        where a.manufacturer_id = t.manufacturer_id and a.alias_key = name_key(model))
      order by manufacturer_id, name_key(model)
      on conflict on constraint car_model_name_unique do nothing
      returning id, name
    )
    ${noteMade(changeSetId, 'car_model')}
  `.execute(trx)
}

/** Finds the categories or manufacturers of spellings, by name before alias, with the database's comparison. */
export async function findSpellings(
  db: Db,
  kind: 'category' | 'manufacturer',
  spellings: readonly string[],
): Promise<FoundNames['categories']> {
  const table = sql.ref(kind)
  const { rows } = await sql<FoundNames['categories'][number]>`
    select spelling, l.id, l.name
    from unnest(${spellings}::text[]) as spelling
    join ${table} l on l.id = coalesce(
      (select id from ${table} where name_key = name_key(spelling) and merged_into is null),
      (select ${sql.ref(`${kind}_id`)} from ${sql.ref(`${kind}_alias`)} where alias_key = name_key(spelling)))
  `.execute(db)
  return rows
}

export async function findModelSpellings(db: Db, models: readonly NewModel[]): Promise<FoundNames['models']> {
  const { rows } = await sql<FoundNames['models'][number]>`
    select t.model as spelling, c.id, c.name, c.manufacturer_id as "manufacturerId"
    from unnest(${models.map(({ manufacturerId }) => manufacturerId)}::uuid[],
                ${models.map(({ model }) => model)}::text[]) as t(manufacturer_id, model)
    join car_model c on c.id = coalesce(
      (select id from car_model m
       where m.manufacturer_id = t.manufacturer_id and m.name_key = name_key(t.model) and m.merged_into is null),
      (select car_model_id from car_model_alias a
       where a.manufacturer_id = t.manufacturer_id and a.alias_key = name_key(t.model)))
  `.execute(db)
  return rows
}

export type LookupQuestion = Pick<LookupQuestionKey, 'kind' | 'manufacturerId'> & {
  readonly typed: string
  /** For a category, the type of part; '' for any. */
  readonly about: string
}

async function listQuestionKeys(db: Db): Promise<LookupQuestionKey[]> {
  const { rows } = await sql<LookupQuestionKey>`
    select kind, manufacturer_id as "manufacturerId", typed_key as key from lookup_question
  `.execute(db)
  return rows
}

/**
 * One question per name and type of part, no matter how many files have it. Written in key order to prevent deadlocks.
 */
export async function insertQuestions(
  trx: Db,
  fileId: string,
  questions: readonly LookupQuestion[],
): Promise<void> {
  await sql`
    insert into lookup_question (kind, manufacturer_id, typed, about, file_id)
    select kind, manufacturer_id, typed, about, ${fileId}
    from unnest(${questions.map(({ kind }) => kind)}::text[],
                ${questions.map(({ manufacturerId }) => manufacturerId)}::uuid[],
                ${questions.map(({ typed }) => typed)}::text[],
                ${questions.map(({ about }) => about)}::text[]) as q(kind, manufacturer_id, typed, about)
    order by kind, manufacturer_id, name_key(typed), name_key(about)
    on conflict on constraint lookup_question_once do nothing
  `.execute(trx)
}

/** Call once the question is decided. A question about any type of part deletes all questions of that name. */
export async function deleteQuestion(trx: Db, question: LookupQuestion): Promise<void> {
  await sql`
    delete from lookup_question
    where kind = ${question.kind} and manufacturer_id is not distinct from ${question.manufacturerId}::uuid
      and typed_key = name_key(${question.typed})
      and (${question.about} = '' or about_key = name_key(${question.about}))
  `.execute(trx)
}
