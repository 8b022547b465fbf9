import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { wordsOfDescription } from './part-text.ts'

/*
 * What a language model wrote as descriptions, by hash: so that it is known wherever it is copied to, and no longer than the
 * facts it was made from. Lines of the built-in template need none of this, since they are recognized by their labels.
 */

const hashOf = (words: string): string => createHash('sha256').update(words).digest('hex')

/** Remembers a description that a model wrote, before it is saved anywhere. */
export async function rememberScriptProse(db: Db, description: string): Promise<void> {
  await sql`
    insert into script_prose (hash) values (decode(${hashOf(wordsOfDescription(description))}, 'hex')) on conflict do nothing
  `.execute(db)
}

/** Of these descriptions, the words that a model wrote, for `textsFollowing`. */
export async function findScriptProse(
  db: Db,
  descriptions: readonly unknown[],
): Promise<ReadonlySet<string>> {
  const words = new Map<string, string>()
  for (const description of descriptions) {
    const found = typeof description === 'string' ? wordsOfDescription(description) : ''
    if (found !== '') words.set(hashOf(found), found)
  }
  if (words.size === 0) return new Set()
  const { rows } = await sql<{ hash: string }>`
    select encode(p.hash, 'hex') as hash from unnest(${[...words.keys()]}::text[]) as asked(hash)
    join script_prose p on p.hash = decode(asked.hash, 'hex')
  `.execute(db)
  return new Set(rows.flatMap(({ hash }) => words.get(hash) ?? []))
}
