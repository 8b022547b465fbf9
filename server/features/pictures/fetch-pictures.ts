import { z } from 'zod'
import { LOWEST_ID } from '#server/platform/database/cursors.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { NotFetched } from '#server/platform/net/guarded-fetch.ts'
import { type FetchDeps, fetchPicture } from './fetch-picture.ts'
import { HostTurns } from './host-turns.ts'
import {
  countPendingPictures,
  type FetchedPicture,
  listPendingPictures,
  type PendingPicture,
  setFetchedPictures,
} from './pending-queries.ts'

type Sums = { fetched: number; failed: number }

// What a killed worker does again at most; also how many are under way, each waiting for its host's turn.
const PAGE = 40

const standing = z.object({ after: z.string(), fetched: z.number(), failed: z.number() })
const BEGIN = { after: LOWEST_ID, fetched: 0, failed: 0 }

/**
 * Fetches the pictures that files of a seller named, a page at a time. One that cannot be had is a line of the log and a
 * word at its listing, which stays as it is without; the job goes on.
 */
export async function fetchPictures(
  { db, ...deps }: FetchDeps & { db: Db },
  run: JobRun<{ sellerId: string }>,
): Promise<Sums> {
  const { sellerId } = run.payload
  let { after, ...sums } = standing.catch(BEGIN).parse(run.checkpoint ?? BEGIN)
  const total = sums.fetched + sums.failed + (await countPendingPictures(db, sellerId, after))
  const hosts = new HostTurns()
  for (;;) {
    run.signal.throwIfAborted()
    const page = await listPendingPictures(db, sellerId, { after, limit: PAGE })
    const last = page.at(-1)
    if (!last) return sums
    const fetched = await fetchPage(deps, { page, hosts, signal: run.signal })
    const failures = fetched.flatMap(failureInWords)
    after = last.id
    sums = {
      fetched: sums.fetched + fetched.length - failures.length,
      failed: sums.failed + failures.length,
    }
    await run.withFence(async (trx) => {
      await setFetchedPictures(trx, fetched)
      await run.saveCheckpoint({ after, ...sums }, trx)
    })
    await run.log(failures, 'stderr')
    run.progress({ done: sums.fetched + sums.failed, total, note: 'fetching pictures' })
  }
}

type FetchPage = { page: readonly PendingPicture[]; hosts: HostTurns; signal: AbortSignal }

/** Many rows of a yard may name one picture: it is fetched once. */
async function fetchPage(deps: FetchDeps, { page, hosts, signal }: FetchPage): Promise<FetchedPicture[]> {
  const fetching = new Map<string, Promise<FetchedPicture['outcome']>>()
  for (const { url } of page) {
    if (fetching.has(url)) continue
    const outcome = hosts.take(url, () => fetchInTurn(deps, { url, hosts, signal }))
    fetching.set(url, outcome)
  }
  // All come to their end first: none may go on behind the back of a run that has failed.
  const settled = await Promise.allSettled(fetching.values())
  for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason
  return Promise.all(
    page.map(async (picture) => ({ ...picture, outcome: await (fetching.get(picture.url) ?? GONE) })),
  )
}

const GONE = { reason: 'there is nothing at the address' }

async function fetchInTurn(
  deps: FetchDeps,
  { url, hosts, signal }: { url: string; hosts: HostTurns; signal: AbortSignal },
): Promise<FetchedPicture['outcome']> {
  signal.throwIfAborted()
  if (hosts.hasGivenUp(url)) return { reason: 'its server did not answer several times in a row' }
  const outcome = await fetchPicture(deps, url, signal)
  const isMissing = outcome instanceof NotFetched
  hosts.note(url, !(isMissing && outcome.passes))
  return isMissing ? { reason: outcome.message } : outcome
}

const failureInWords = ({ slug, url, outcome }: FetchedPicture): string[] =>
  'reason' in outcome ? [`image not fetched: ${slug}: ${outcome.reason} (${url})`] : []
