import { followVocabulary } from '#server/features/finding/saved-searches/follow-vocabulary.ts'
import { mailFoundParts } from '#server/features/finding/saved-searches/found-mails.ts'
import { matchArrivals } from '#server/features/finding/saved-searches/match-arrivals.ts'
import { openReading } from '#server/features/finding/search/query/reading.ts'
import { type Db, openDatabase } from '#server/platform/database/database.ts'
import { replyTo } from './programs.ts'

/* The worker's part of saved searches in a process of its own, which may be killed. */

export type WantedOrder = { databaseUrl: string; work: keyof typeof works }

const now = () => new Date()
const ask = openReading(now)
const signal = new AbortController().signal
const site = { publicUrl: 'https://parts.example', productName: 'PartHarbor' }

const runOn = (db: Db) => ({
  signal,
  withFence: <T>(work: (trx: Db) => Promise<T>) => db.transaction().execute(work),
  progress: () => undefined,
})

const works = {
  read: (db: Db) => followVocabulary({ db, ask, now }, runOn(db)),
  match: (db: Db) => matchArrivals({ db, ask, now }, runOn(db)),
  mail: (db: Db) => mailFoundParts({ db, now, site }, signal),
}

replyTo<WantedOrder>(async ({ databaseUrl, work }) => {
  const database = openDatabase(databaseUrl, { max: 10, applicationName: 'wanted' })
  const began = performance.now()
  await works[work](database.db)
  const ms = performance.now() - began
  await database.close()
  return ms
})
