import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SearchWord } from '#contract/search/search-words.ts'
import type { TradeWord } from '#contract/trade-language/vocabulary-source.ts'
import { loadTradeWords, readBuiltInWords } from '#server/features/finding/vocabulary/load-words.ts'
import { readWordsVersion } from '#server/features/finding/vocabulary/vocabulary.ts'
import type { Db } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { databaseBefore } from '#tests/support/older-database.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* How the words of a new version reach installations that have words already. */

const older = await databaseBefore('0090')
const app = await startTestApp()
const builtIn = readBuiltInWords()

const lines = (words: readonly TradeWord[]) =>
  words.map(({ word, kind, means }) => `${word} = ${kind} ${means}`).toSorted()
const stored = async (db: Db) =>
  lines((await sql<TradeWord>`select word, kind, means from trade_word`.execute(db)).rows)
const meaningOf = async (db: Db, word: string) =>
  (await stored(db)).filter((line) => line.startsWith(`${word} = `))

test('a new installation has exactly the words of the file', async () => {
  expect(await stored(app.db)).toEqual(lines(builtIn))
})

describe('an installation from before', () => {
  beforeAll(async () => {
    const { db, pool } = older
    // As an earlier file had it: other meanings, a word that is gone, and one that had not come.
    await sql`update trade_word set means = 'Hood' where word = 'tranny'`.execute(db)
    await sql`update trade_word set word = 'gone word', kind = 'skip', means = '' where word = 'chunk'`.execute(
      db,
    )
    // As administrators' calls leave it.
    const taught = async (word: string, means: string, action: string, detail: object) => {
      const { rows } = await sql<{ id: string }>`
        insert into trade_word (word, kind, means) values (${word}, 'part', ${means}) returning id
      `.execute(db)
      await audit(rows[0]?.id ?? '', action, detail)
    }
    const audit = (target: string, action: string, detail: object) =>
      sql`insert into audit_entry (action, target, detail) values (${action}, ${target}, ${JSON.stringify(detail)})`.execute(
        db,
      )
    await sql`delete from trade_word where word in ('gearbox', 'heads', 'balancer', 'alt')`.execute(db)
    await audit('row-of-gearbox', 'search-word-removed', { word: 'gearbox', kind: 'part', means: 'Hood' })
    await taught('heads', 'Headlamp Assembly', 'search-word-changed', {
      word: 'heads',
      kind: 'part',
      from: 'heads: Cylinder Head',
    })
    await taught('round thing', 'Harmonic Balancer', 'search-word-changed', {
      word: 'round thing',
      kind: 'part',
      from: 'balancer: Harmonic Balancer',
    })
    await taught('own word', 'Hood', 'search-word-added', { word: 'own word', kind: 'part', means: 'Hood' })
    await migrate(pool)
    await loadTradeWords(db)
  })

  test.each([
    ['gets a new meaning', 'tranny', lines(builtIn.filter(({ word }) => word === 'tranny'))],
    ['gets a word that is new', 'alt', ['alt = part Alternator']],
    ['loses a word that is no longer built in', 'gone word', []],
    ['gets a word that took its place', 'chunk', ['chunk = part Differential']],
    ['gets no word back that was removed', 'gearbox', []],
    ['nor one that was renamed', 'balancer', []],
    ['keeps what an administrator made of a word', 'heads', ['heads = part Headlamp Assembly']],
    ['and taught it', 'own word', ['own word = part Hood']],
  ])('%s', async (_, word, expected) => {
    expect(await meaningOf(older.db, word)).toEqual(expected)
  })
})

describe('the next version', () => {
  let admin: SignedIn
  const next: TradeWord[] = [
    ...builtIn.flatMap((one) => {
      if (one.word === 'coil packs') return []
      return ['starting motor', 'flexplate', 'tensioner'].includes(one.word) ? { ...one, means: 'Hood' } : one
    }),
    { word: 'taught before', kind: 'part', means: 'Fender' },
    { word: 'brand new', kind: 'part', means: 'Fender' },
  ]
  const call = async (word: string) =>
    (
      await admin.api.get<{ items: SearchWord[] }>(`/admin/search/words?q=${encodeURIComponent(word)}`)
    ).body.items.find((one) => one.word === word)

  beforeAll(async () => {
    admin = await app.signUp({ role: 'admin' })
    const words = '/admin/search/words'
    const changed = await call('flexplate')
    await admin.api.put(`${words}/${changed?.id}`, { word: 'flexplate', kind: 'part', means: 'Door Glass' })
    await admin.api.delete(`${words}/${(await call('tensioner'))?.id}`)
    await admin.api.post(words, { word: 'taught before', kind: 'part', means: 'Hood' })
    const version = await readWordsVersion(app.db)
    await Promise.all([loadTradeWords(app.db, next), loadTradeWords(app.db, next)])
    expect(await readWordsVersion(app.db)).not.toBe(version)
  })

  test.each([
    ['replaces what nobody changed', 'starting motor', ['starting motor = part Hood']],
    ['adds what is new', 'brand new', ['brand new = part Fender']],
    ['removes what it leaves out', 'coil packs', []],
    ['keeps what an administrator changed', 'flexplate', ['flexplate = part Door Glass']],
    ['keeps what an administrator taught before', 'taught before', ['taught before = part Hood']],
    ['brings back nothing that an administrator removed', 'tensioner', []],
  ])('%s', async (_, word, expected) => {
    expect(await meaningOf(app.db, word)).toEqual(expected)
  })

  test('leaves out what an administrator taught and then removed', async () => {
    await admin.api.delete(`/admin/search/words/${(await call('taught before'))?.id}`)
    const before = await stored(app.db)
    await loadTradeWords(app.db, [...next, { word: 'newer still', kind: 'skip', means: '' }])
    expect(await stored(app.db)).toEqual([...before, 'newer still = skip '].toSorted())
  })
})
