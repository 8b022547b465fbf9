import { type RawBuilder, sql } from 'kysely'
import { openVocabulary, type Vocabulary } from '#contract/trade-language/vocabulary.ts'
import type { VocabularySource } from '#contract/trade-language/vocabulary-source.ts'
import { loadCatalogNames } from '#server/features/market/lookups/catalog-names.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { language } from './built-in.ts'
import { listTradeWords } from './trade-words.ts'

/*
 * The vocabulary of a database as a process has it: read once, and again when a name or a word changes. What a word means is
 * therefore the same for searches, suggestions, files, titles and saved searches, in all processes, within seconds.
 */

type Kept = { readonly version: string; readonly state: string; readonly vocabulary: Promise<Vocabulary> }

// 10 MB each; a process has one database, tests have several.
const kept = new WeakMap<Db, Kept>()

/** Changes with every change of a word, and of a name by a person, for a select of one row. */
export const wordsVersion: RawBuilder<string> = sql<string>`
  concat_ws(' ', (select version from lookup_version), (select count(*) from trade_word),
            (select id from trade_word order by id desc limit 1))`

/** Also changes with names that files create and administrators confirm; counting them would double the cost of a search. */
const namesState = sql<string>`
  concat_ws(' ', ${sql.join(
    (['category', 'manufacturer', 'car_model'] as const).map(
      (kind) => sql`
    (select count(*) || '/' || count(*) filter (where confirmed) from ${sql.table(kind)})`,
    ),
  )})`

export async function readWordsVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`select ${wordsVersion} as version`.execute(db)
  return onlyRow(rows).version
}

/**
 * The vocabulary with all names, also those that no person has seen yet.
 * @param through the connection to ask, if not `db` itself; it must not have changed names or words, since what it sees is
 * kept for everyone
 */
export async function readVocabulary(db: Db, through: Db = db): Promise<Vocabulary> {
  const { rows } = await sql<Omit<Kept, 'vocabulary'>>`
    select ${wordsVersion} as version, ${namesState} as state
  `.execute(through)
  const current = onlyRow(rows)
  const known = kept.get(db)
  if (known?.version === current.version && known.state === current.state) return known.vocabulary
  return keep(db, current, through)
}

/** The vocabulary of this `wordsVersion`, which the caller has just read. */
export async function vocabularyOf(db: Db, version: string): Promise<Vocabulary> {
  const known = kept.get(db)
  return known?.version === version ? known.vocabulary : readVocabulary(db)
}

function keep(db: Db, current: Omit<Kept, 'vocabulary'>, through: Db): Promise<Vocabulary> {
  const read = { ...current, vocabulary: loadVocabulary(through) }
  kept.set(db, read)
  read.vocabulary.catch(() => {
    if (kept.get(db) === read) kept.delete(db)
  })
  return read.vocabulary
}

async function loadVocabulary(db: Db): Promise<Vocabulary> {
  return openVocabulary(await loadVocabularySource(db))
}

/** All names and words, for callers that need a vocabulary without some of them. */
export async function loadVocabularySource(db: Db): Promise<VocabularySource> {
  const [catalog, words] = await Promise.all([loadCatalogNames(db), listTradeWords(db)])
  return { catalog, words, language }
}
