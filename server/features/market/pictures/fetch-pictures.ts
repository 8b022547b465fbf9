import { sql } from 'kysely'
import pRetry from 'p-retry'
import { z } from 'zod'
import { type Db, LOWEST_ID } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { type GuardedFetch, NotFetched } from '#server/platform/net/guarded-fetch.ts'
import { taskQueue } from '#server/platform/processes/concurrency.ts'
import { type StoredPicture, storePictureWithSizes } from './store-picture.ts'

/** A yard's pictures are mostly on one small server with its own visitors. */
const AT_ONCE = 2
/** A server that failed this often in a row, including retries, is down: waiting for it would delay everyone else. */
const FAILURES_TO_GIVE_UP = 5

type Host = { inLine: ReturnType<typeof taskQueue>; failures: number }

/** Limits concurrent requests to each host, and remembers hosts that do not respond. */
class HostTurns {
  readonly #hosts = new Map<string, Host>()

  /** Runs a task of a host when its turn comes. */
  take<T>(url: string, task: () => Promise<T>): Promise<T> {
    return this.#host(url).inLine(task)
  }

  hasGivenUp(url: string): boolean {
    return this.#host(url).failures >= FAILURES_TO_GIVE_UP
  }

  note(url: string, answered: boolean): void {
    const host = this.#host(url)
    host.failures = answered ? 0 : host.failures + 1
  }

  #host(url: string): Host {
    const name = URL.parse(url)?.hostname ?? ''
    const known = this.#hosts.get(name)
    if (known) return known
    const host = { inLine: taskQueue({ atOnce: AT_ONCE, waiting: Number.POSITIVE_INFINITY }), failures: 0 }
    this.#hosts.set(name, host)
    return host
  }
}

/** A picture URL from a file that has not been fetched yet. */
type PendingPicture = {
  readonly id: string
  readonly listingId: string
  readonly slug: string
  readonly url: string
}

type Pass = {
  readonly sellerId: string
  readonly after: string
  /** First pass: only covers, which lists and searches show. Second pass: everything still pending. */
  readonly covers: boolean
}

const isPending = ({ sellerId, after, covers }: Pass) => sql<boolean>`
  image.state = 'pending' and image.source_url is not null and image.id > ${after}
  and (image.position = 0 or not ${covers}::boolean)
  and listing.seller_id = ${sellerId} and listing.deleted_at is null`

/** A seller's pictures to fetch, oldest first. */
async function listPendingPictures(db: Db, pass: Pass, limit: number): Promise<PendingPicture[]> {
  const { rows } = await sql<PendingPicture>`
    select image.id, image.listing_id as "listingId", listing.slug, image.source_url as url
    from listing_image image join listing on listing.id = image.listing_id
    where ${isPending(pass)} order by image.id limit ${limit}
  `.execute(db)
  return rows
}

async function countPendingPictures(db: Db, pass: Pass): Promise<number> {
  const { rows } = await sql<{ pending: number }>`
    select count(*)::int as pending
    from listing_image image join listing on listing.id = image.listing_id where ${isPending(pass)}
  `.execute(db)
  return rows[0]?.pending ?? 0
}

type FetchedPicture = PendingPicture & {
  readonly outcome: StoredPicture | { readonly reason: string }
}

/** Stores the outcomes; a picture that got another URL in the meantime stays pending. */
async function setFetchedPictures(trx: Db, pictures: readonly FetchedPicture[]): Promise<void> {
  const rows = pictures.map(({ id, url, outcome }) =>
    'sha256' in outcome
      ? { id, url, ...outcome, state: 'ready', error: null }
      : { id, url, widths: [], state: 'failed', error: outcome.reason },
  )
  // In the order of `lockPictures`.
  await sql`
    select from listing_image where id = any(${rows.map(({ id }) => id)}::uuid[]) order by id for update
  `.execute(trx)
  await sql`
    update listing_image image
    set state = fetched.state, sha256 = fetched.sha256, width = fetched.width, height = fetched.height,
        widths = fetched.widths, error = fetched.error
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as fetched(
      id uuid, url text, state text, sha256 text, width integer, height integer, widths integer[], error text)
    where image.id = fetched.id and image.state = 'pending' and image.source_url = fetched.url
  `.execute(trx)
}

/** The limit that the wizard shows to sellers: about the size of a good photo. */
const MAX_BYTES = 1.5 * 1024 * 1024

// Retries a busy or restarting server after one second and again after two.
const AGAIN = { retries: 2, minTimeout: 1_000, factor: 2 } as const

type FetchDeps = { readonly files: FileStore; readonly web: GuardedFetch }

/**
 * Fetches, re-encodes and stores a picture. Returns why it could not be fetched or read; throws only failures on our
 * side.
 */
async function fetchPicture(
  { files, web }: FetchDeps,
  url: string,
  signal: AbortSignal,
): Promise<StoredPicture | NotFetched> {
  try {
    const bytes = await pRetry(() => web.bytes(url, { mostBytes: MAX_BYTES, signal }), {
      ...AGAIN,
      signal,
      shouldRetry: ({ error }) => error instanceof NotFetched && error.passes,
    })
    return await storePictureWithSizes(files, bytes)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NotFetched) return error
    if (error instanceof AppError && PICTURES_FAULT.has(error.code)) return new NotFetched(error.message)
    throw error
  }
}

const PICTURES_FAULT: ReadonlySet<string> = new Set(['TOO_LARGE', 'WRONG_TYPE', 'VALIDATION_FAILED'])

type Sums = { fetched: number; failed: number }

// At most this many are refetched after a kill; also the number in progress, each waiting for its host's turn.
const PAGE = 40

const checkpoint = z.object({
  after: z.string(),
  covers: z.boolean(),
  fetched: z.number(),
  failed: z.number(),
})
const BEGIN = { after: LOWEST_ID, covers: true, fetched: 0, failed: 0 }

/**
 * Fetches the pictures from a seller's files, a page at a time: first all covers, then the others, which take days for
 * a large yard. A failed picture is logged and marked; the job continues.
 */
export async function fetchPictures(
  { db, ...deps }: FetchDeps & { db: Db },
  run: JobRun<{ sellerId: string }>,
): Promise<Sums> {
  const { sellerId } = run.payload
  let { after, covers, ...sums } = checkpoint.catch(BEGIN).parse(run.checkpoint ?? BEGIN)
  const all = { sellerId, after: covers ? LOWEST_ID : after, covers: false }
  const total = sums.fetched + sums.failed + (await countPendingPictures(db, all))
  const hosts = new HostTurns()
  for (;;) {
    run.signal.throwIfAborted()
    const page = await listPendingPictures(db, { sellerId, after, covers }, PAGE)
    const last = page.at(-1)
    if (!last) {
      if (!covers) return sums
      after = LOWEST_ID
      covers = false
      continue
    }
    const fetched = await fetchPage(deps, { page, hosts, signal: run.signal })
    const failures = fetched.flatMap(failureInWords)
    after = last.id
    sums = {
      fetched: sums.fetched + fetched.length - failures.length,
      failed: sums.failed + failures.length,
    }
    await run.withFence(async (trx) => {
      await setFetchedPictures(trx, fetched)
      await run.saveCheckpoint({ after, covers, ...sums }, trx)
    })
    await run.log(failures, 'stderr')
    run.progress({ done: sums.fetched + sums.failed, total, note: 'fetching pictures' })
  }
}

type FetchPage = { page: readonly PendingPicture[]; hosts: HostTurns; signal: AbortSignal }

/** Many rows may name the same picture, which is fetched once. */
async function fetchPage(deps: FetchDeps, { page, hosts, signal }: FetchPage): Promise<FetchedPicture[]> {
  const fetching = new Map<string, Promise<FetchedPicture['outcome']>>()
  for (const { url } of page) {
    if (fetching.has(url)) continue
    const outcome = hosts.take(url, () => fetchInTurn(deps, { url, hosts, signal }))
    fetching.set(url, outcome)
  }
  // Wait for all first: none may continue after the run has failed.
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
  if (hosts.hasGivenUp(url)) return { reason: 'its server did not respond several times in a row' }
  const outcome = await fetchPicture(deps, url, signal)
  const isMissing = outcome instanceof NotFetched
  hosts.note(url, !(isMissing && outcome.passes))
  return isMissing ? { reason: outcome.message } : outcome
}

const failureInWords = ({ slug, url, outcome }: FetchedPicture): string[] =>
  'reason' in outcome ? [`image not fetched: ${slug}: ${outcome.reason} (${url})`] : []
