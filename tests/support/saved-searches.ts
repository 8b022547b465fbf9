import type { Frequency, SavedSearch } from '#contract/search/saved-searches.ts'
import { mailFoundParts } from '#server/features/finding/saved-searches/found-mails.ts'
import { matchArrivals } from '#server/features/finding/saved-searches/match-arrivals.ts'
import { openReading } from '#server/features/finding/search/query/reading.ts'
import type { ApiClient } from './api-client.ts'
import type { TestApp } from './test-app.ts'

/** What a test does with saved searches: saves and confirms them, and runs their jobs as of the app's clock. */
export function savedSearchesOf(app: TestApp) {
  const { db } = app
  const { now } = app.clock
  const ask = openReading(now)
  const signal = new AbortController().signal
  const site = { publicUrl: app.config.publicUrl, productName: app.config.productName }
  const run = {
    signal,
    withFence: <T>(work: (trx: typeof db) => Promise<T>) => db.transaction().execute(work),
    progress: () => undefined,
  }
  const mailsTo = (email: string) =>
    db.selectFrom('mail').selectAll().where('recipient', '=', email).orderBy('id').execute()
  const tokenFor = async (email: string) =>
    /confirm-search#([\w-]{43})\n/.exec((await mailsTo(email)).at(-1)?.body ?? '')?.[1] ?? 'no link'
  return {
    match: () => matchArrivals({ db, ask, now }, run),
    mail: () => mailFoundParts({ db, now, site }, signal),
    mailsTo,
    tokenFor,
    /** Saves a search for an address that confirms it; returns the key that manages it. */
    async confirmed(
      query: string,
      { email, frequency = 'hourly' }: { email: string; frequency?: Frequency },
    ) {
      const api: ApiClient = app.visitor
      const saved = await api.post('/saved-searches/new', { query, email, frequency })
      if (saved.status !== 201) throw new Error(`${query} was not saved: ${saved.bytes}`)
      const token = await tokenFor(email)
      const { body } = await api.post<{ items: SavedSearch[] }>('/saved-searches/link', { token })
      const ids = body.items.map(({ id }) => id)
      return (await api.post<{ key: string }>('/saved-searches/confirm', { token, ids })).body.key
    },
  }
}
