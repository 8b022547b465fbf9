import { sql } from 'kysely'
import type { JsonValue } from '#db/schema.gen.ts'
import { type PageProposal, writeProposals } from '#server/features/finding/landing/proposals.ts'
import { userSource, withChangeSet } from '#server/features/market/history/change-sets.ts'
import { changeListings, diffColumns, lockListings } from '#server/features/market/listings/write-queries.ts'
import { patchStagingFile } from '#server/features/stock-files/store/patch.ts'
import { findStagingName } from '#server/features/stock-files/store/staged-files.ts'
import type { Caller } from '#server/features/stock-files/store/staging-path.ts'
import { auditActorOf, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { MAX_LISTINGS_PER_SAVE } from './live-descriptions.ts'
import { requireReview } from './text-review.ts'

type WrittenTexts = { readonly written: number; readonly left: number; readonly version: number | null }

/**
 * Writes the accepted texts of a dry run in the accepting person's name: all into one new version of the staged file,
 * or a page of them into live listings.
 * @throws AppError NOT_FOUND, STALE (the staged file was changed since), STORAGE_FULL, BUSY
 */
export async function writeAccepted(
  db: Db,
  files: FileStore,
  { jobId, caller }: { jobId: string; caller: Caller },
): Promise<WrittenTexts> {
  const { field, file } = await requireReview(db, jobId)
  if (field === 'landing' || field === 'links') return writeToPages(db, jobId, caller)
  if (file === null) return writeToListings(db, jobId, caller)
  return writeToFile(db, files, { jobId, field, file, caller })
}

type AcceptedListing = { place: number; id: string; version: number; text: string }

/** Listings that changed since the dry run are skipped. */
function writeToListings(db: Db, jobId: string, caller: Caller): Promise<WrittenTexts> {
  return inTransaction(db, async (trx) => {
    const { rows: accepted } = await sql<AcceptedListing>`
      select place, listing_id as id, listing_version as version, after_text as text from text_proposal
      where job_id = ${jobId} and decision = 'accepted' and outcome is null
      order by place limit ${MAX_LISTINGS_PER_SAVE} for update
    `.execute(trx)
    const locked = await lockListings(
      trx,
      accepted.map(({ id }) => id),
    )
    const changes = accepted.flatMap(({ place, id, version, text: description }) => {
      const before = locked.get(id)
      if (!before || before.version !== version || before.deleted_at) return []
      return [{ place, before, columns: diffColumns(before, { description }) }]
    })
    if (changes.length > 0) {
      await withChangeSet(trx, userSource(caller, 'bulk edit'), (same, changeSetId) =>
        changeListings(same, changes, changeSetId),
      )
    }
    const written = changes.map(({ place }) => place)
    await settle(
      trx,
      jobId,
      accepted.map(({ place }) => place),
      written,
    )
    return { written: written.length, left: await countLeft(trx, jobId), version: null }
  })
}

// Each call takes a few statements over the pages of a kind.
const MAX_PAGES_A_CALL = 1_000

/** Pages and links that changed since the dry run are skipped. */
function writeToPages(db: Db, jobId: string, caller: Caller): Promise<WrittenTexts> {
  return inTransaction(db, async (trx) => {
    const { rows: accepted } = await sql<{ place: number; proposed: PageProposal }>`
      select place, proposed from text_proposal
      where job_id = ${jobId} and decision = 'accepted' and outcome is null
      order by place limit ${MAX_PAGES_A_CALL} for update
    `.execute(trx)
    const isWritten = await writeProposals(
      trx,
      accepted.map(({ proposed }) => proposed),
      jobId,
    )
    const written = accepted.filter((_, at) => isWritten[at]).map(({ place }) => place)
    await settle(
      trx,
      jobId,
      accepted.map(({ place }) => place),
      written,
    )
    if (written.length > 0) {
      const detail = { pages: written.length }
      await writeAudit(trx, { action: 'page-texts-accepted', target: jobId, detail, ...auditActorOf(caller) })
    }
    return { written: written.length, left: await countLeft(trx, jobId), version: null }
  })
}

/** Marks accepted texts as written, or else as changed since the dry run. */
async function settle(
  trx: Db,
  jobId: string,
  accepted: readonly number[],
  written: readonly number[],
): Promise<void> {
  await sql`
    update text_proposal set outcome = case when place = any(${[...written]}::int[]) then 'written' else 'stale' end
    where job_id = ${jobId} and place = any(${[...accepted]}::int[])
  `.execute(trx)
}

async function countLeft(trx: Db, jobId: string): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    select count(*)::int as left from text_proposal
    where job_id = ${jobId} and decision = 'accepted' and outcome is null
  `.execute(trx)
  return onlyRow(rows).left
}

type AcceptedRow = { place: number; row: number; id: string; old: JsonValue; text: string }
type FileWork = {
  readonly jobId: string
  readonly field: string
  readonly file: { readonly id: string; readonly version: number }
  readonly caller: Caller
}

async function writeToFile(
  db: Db,
  files: FileStore,
  { jobId, field, file, caller }: FileWork,
): Promise<WrittenTexts> {
  const name = await findStagingName(db, file.id)
  if (!name) throw new Error(`The staged file ${file.id} of a review is gone`)
  const { rows } = await sql<AcceptedRow>`
    select place, row_no as row, record_id as id, old_value as old, after_text as text from text_proposal
    where job_id = ${jobId} and decision = 'accepted' and outcome is null order by place
  `.execute(db)
  if (rows.length === 0) return { written: 0, left: 0, version: null }
  const cells = rows.map(({ id, row, old, text }) => ({ id, row, field, old, new: text }))
  const message = `${field === 'h1' ? 'Headings' : 'Descriptions'} accepted in review`
  const patch = {
    ...name,
    ...caller,
    folders: [],
    version: file.version,
    message,
    cells,
    deleteRows: [],
    addRows: [],
  }
  const { version } = await patchStagingFile(db, files, patch).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'STALE' ? changedSince(name.path) : error
  })
  await inTransaction(db, async (trx) => {
    await sql`
      update text_proposal set outcome = 'written'
      where job_id = ${jobId} and place = any(${rows.map(({ place }) => place)}::int[])
    `.execute(trx)
    await sql`update text_review set file_version = ${version} where job_id = ${jobId}`.execute(trx)
  })
  return { written: rows.length, left: 0, version }
}

const changedSince = (path: string) =>
  new AppError(
    'STALE',
    `${path} was changed since this dry run, so nothing was written. Run the dry run again to compare with the current file.`,
  )
