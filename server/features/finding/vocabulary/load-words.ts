import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { TradeWord } from '#contract/trade-language/vocabulary-source.ts'
import { listOf } from '#contract/trade-language/words.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { rowsOf } from './built-in.ts'

/*
 * The built-in trade words. A word that was loaded is known by its row (`built_in_word`): administrators' changes make new
 * rows, so that a row which is still there is as it was loaded.
 */

type WordsRow = { readonly words: string; readonly kind: TradeWord['kind']; readonly means: string }

export const readBuiltInWords = (): TradeWord[] =>
  rowsOf<WordsRow>('trade-words.csv').flatMap(({ words, kind, means }) =>
    listOf(words).map((word) => ({ word, kind, means })),
  )

/**
 * Brings the built-in words to those of this version, unless they are unchanged: new ones are added, and those that no
 * administrator changed are replaced or removed. What an administrator taught or removed stays so.
 */
export async function loadTradeWords(
  db: Db,
  words: readonly TradeWord[] = readBuiltInWords(),
): Promise<void> {
  const text = JSON.stringify(words)
  const sha256 = createHash('sha256').update(text).digest('hex')
  await inTransaction(db, async (trx) => {
    // Of two processes that start at once, the second waits here and then finds the work done.
    await sql`select pg_advisory_xact_lock(hashtext('load trade words'))`.execute(trx)
    const known = await sql`
      select from loaded_data where name = 'trade words' and sha256 = ${sha256}
    `.execute(trx)
    if (known.rows.length > 0) return
    const given = sql`
      (select word, name_key(word) as word_key, kind, means
       from jsonb_to_recordset(${text}::jsonb) as w(word text, kind text, means text)) given`
    await removeFormer(trx, given)
    await addNew(trx, given)
    await sql`
      insert into loaded_data (name, sha256) values ('trade words', ${sha256})
      on conflict (name) do update set sha256 = excluded.sha256, loaded_at = now()
    `.execute(trx)
  })
}

/** A changed word is removed, too: its new row shows every process that the words have changed. */
async function removeFormer(trx: Db, given: RawBuilder<unknown>): Promise<void> {
  await sql`
    with former as (
      delete from trade_word t using built_in_word b
      where b.row_id = t.id
        and not exists (select from ${given} where given.word_key = t.word_key and given.word = t.word
                        and given.kind = t.kind and given.means = t.means)
      returning t.word_key
    )
    delete from built_in_word where word_key in (select word_key from former)
  `.execute(trx)
}

async function addNew(trx: Db, given: RawBuilder<unknown>): Promise<void> {
  await sql`
    with added as (
      insert into trade_word (word, kind, means)
      select word, kind, means from ${given}
      where not exists (select from built_in_word b where b.word_key = given.word_key)
      on conflict on constraint trade_word_unique do nothing
      returning word_key, id
    )
    insert into built_in_word (word_key, row_id)
    select given.word_key, added.id from ${given} left join added using (word_key)
    on conflict do nothing
  `.execute(trx)
}
