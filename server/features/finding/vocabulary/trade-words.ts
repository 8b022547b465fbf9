import { sql } from 'kysely'
import type { SearchWordKind } from '#contract/search/search-words.ts'
import { placeNames } from '#contract/trade-language/places.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/* Buyers' words for parts, makes and models. Those of `db/data/trade-words.csv` come with a version (`load-words.ts`); admins edit them. */

export type TradeWord = {
  id: string
  word: string
  kind: SearchWordKind
  /** See the table's comment: names of categories, a side, a make, make and model, another word, or ''. */
  means: string
  createdAt: Date
}

export async function listTradeWords(db: Db): Promise<TradeWord[]> {
  const { rows } = await sql<TradeWord>`
    select id, word, kind, means, created_at as "createdAt" from trade_word order by word_key
  `.execute(db)
  return rows
}

export async function wordsById(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select word from trade_word where id = any(${[...ids]}::uuid[])
  `.execute(db)
  return rows.map(({ word }) => word)
}

/** @throws AppError VALIDATION_FAILED if the meaning is unknown, CONFLICT if the word already exists */
export async function addTradeWord(
  db: Db,
  { word, kind, means }: Pick<TradeWord, 'word' | 'kind' | 'means'>,
): Promise<TradeWord> {
  const names = namesMeant({ kind, means })
  if (names.length === 0 && kind !== 'skip') refuseMeaning('Enter what the word means')
  for (const name of names) await requireMeaning(db, kind, name)
  const { rows } = await sql<TradeWord>`
    insert into trade_word (word, kind, means) values (btrim(${word}), ${kind}, btrim(${means}))
    on conflict on constraint trade_word_unique do nothing
    returning id, word, kind, means, created_at as "createdAt"
  `.execute(db)
  const [added] = rows
  if (!added) throw new AppError('CONFLICT', `“${word}” is already in the list. Remove it first.`)
  return added
}

/** Returns the removed word. @throws AppError NOT_FOUND */
export async function removeTradeWord(db: Db, id: string): Promise<TradeWord> {
  const { rows } = await sql<TradeWord>`
    delete from trade_word where id = ${id} returning id, word, kind, means, created_at as "createdAt"
  `.execute(db)
  const [removed] = rows
  if (!removed) throw new AppError('NOT_FOUND', 'This word is no longer in the list.')
  return removed
}

/** Splits a word's meaning into names. */
const namesMeant = ({ kind, means }: Pick<TradeWord, 'kind' | 'means'>): string[] =>
  (kind === 'part' ? means.split(';') : [means]).map((name) => name.trim()).filter((name) => name !== '')

function refuseMeaning(sentence: string): never {
  throw new AppError('VALIDATION_FAILED', sentence, { fields: { means: sentence } })
}

async function requireMeaning(db: Db, kind: SearchWordKind, name: string): Promise<void> {
  if (kind === 'side' && !placeNames.includes(name))
    refuseMeaning('Enter front, rear, left, right or a combination such as front left')
  if (kind === 'part' && !(await exists(db, 'category', name)))
    refuseMeaning(`There is no category “${name}”`)
  if (kind === 'make' && !(await exists(db, 'manufacturer', name)))
    refuseMeaning(`There is no make “${name}”`)
  if (kind !== 'model') return
  const [make = '', model = ''] = name.split('/')
  const { rows } = await sql`
    select from car_model c join manufacturer m on m.id = c.manufacturer_id
    where m.name_key = name_key(${make}) and c.name_key = name_key(${model})
  `.execute(db)
  if (rows.length === 0) refuseMeaning('Write make and model with a slash, such as Ford/Mustang')
}

async function exists(db: Db, kind: 'category' | 'manufacturer', name: string): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(kind)} where name_key = name_key(${name}) and merged_into is null
  `.execute(db)
  return rows.length > 0
}
