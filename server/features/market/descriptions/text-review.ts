import { type RawBuilder, sql } from 'kysely'
import type { TextChange, TextDecision, TextProposal, textReviewEndpoints } from '#contract/admin/scripts.ts'
import type { StagingRoot } from '#contract/admin/staging.ts'
import type { Answer } from '#contract/endpoint.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import type { PageProposal, ShownProposal } from '#server/features/finding/landing/proposals.ts'
import { missingWords } from '#server/features/market/writing/part-text.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { ScriptRun } from '#server/platform/scripts/script-program.ts'
import type { TextReport } from './text-outcomes.ts'

/** The record that a text is for. */
type TextSubject =
  | { readonly rowNo: number; readonly recordId: string; readonly old: JsonValue | undefined }
  | { readonly listingId: string; readonly version: number }
  | { readonly proposal: PageProposal }

export type ReviewableText = TextReport & {
  /** The part's title. */
  readonly title: string
  readonly subject: TextSubject
}

/** Classifies the change of a text. */
function changeOf(before: string, after: string): { change: Exclude<TextChange, 'refused'>; lost: string[] } {
  const kept = before.trim()
  if (kept === '') return { change: 'new', lost: [] }
  const lost = missingWords(kept, after)
  if (lost.length > 0) return { change: 'drops', lost }
  return { change: after.trim().startsWith(kept) ? 'added' : 'reworded', lost }
}

// More than anyone reads, and 40 MB in memory until the dry run has ended.
const MOST_TEXTS = 20_000
const MOST_CHARACTERS = 20_000_000

/** Collects what a dry run would write, up to a limit; skips records that keep their text. */
export class ReviewDraft {
  readonly #rows: ReturnType<typeof rowOf>[] = []
  #characters = 0
  #leftOut = 0

  add(text: ReviewableText): void {
    if (text.outcome.kind === 'unchanged') return
    const isFull = this.#rows.length >= MOST_TEXTS || this.#characters > MOST_CHARACTERS
    if (isFull) {
      this.#leftOut += 1
      return
    }
    const row = rowOf(text, this.#rows.length + 1)
    this.#characters += row.before_text.length + (row.after_text?.length ?? 0)
    this.#rows.push(row)
  }

  addPages(pages: readonly ShownProposal[]): void {
    for (const page of pages) this.add(reviewablePage(page))
  }

  get rows(): readonly ReturnType<typeof rowOf>[] {
    return this.#rows
  }

  get leftOut(): number {
    return this.#leftOut
  }
}

/** What a dry run would write on a landing page. */
const reviewablePage = ({ label, title, before, after, why, proposal }: ShownProposal): ReviewableText => ({
  place: label,
  title,
  before,
  outcome: after === undefined ? { kind: 'refused', why } : { kind: 'written', text: after },
  subject: { proposal },
})

function rowOf({ place: label, title, before, outcome, subject }: ReviewableText, place: number) {
  const row = 'recordId' in subject ? subject : undefined
  const listing = 'listingId' in subject ? subject : undefined
  const isWritten = outcome.kind === 'written'
  return {
    place,
    row_no: row?.rowNo ?? null,
    record_id: row?.recordId ?? null,
    old_value: row?.old ?? null,
    listing_id: listing?.listingId ?? null,
    listing_version: listing?.version ?? null,
    proposed: 'proposal' in subject ? subject.proposal : null,
    label,
    title,
    before_text: before,
    after_text: isWritten ? outcome.text : null,
    why: 'why' in outcome ? outcome.why : null,
    ...(isWritten ? changeOf(before, outcome.text) : { change: 'refused' as const, lost: [] }),
  }
}

type ReviewField = Review['field']

type NewReview = {
  readonly field: ReviewField
  /** The staged file and the version that was read. */
  readonly file: { readonly id: string; readonly version: number } | undefined
  readonly draft: ReviewDraft
}

const ROWS_A_STATEMENT = 500

/** Stores a dry run's texts for review. */
export async function storeReview(
  { jobId, withFence }: Pick<ScriptRun<unknown>, 'jobId' | 'withFence'>,
  { field, file, draft }: NewReview,
): Promise<void> {
  await withFence(async (trx) => {
    // Deletes the review of an earlier, lost run of this job.
    await sql`delete from text_review where job_id = ${jobId}`.execute(trx)
    await sql`
      insert into text_review (job_id, field, file_id, file_version, left_out)
      values (${jobId}, ${field}, ${file?.id ?? null}, ${file?.version ?? null}, ${draft.leftOut})
    `.execute(trx)
  })
  for (let from = 0; from < draft.rows.length; from += ROWS_A_STATEMENT) {
    const rows = draft.rows.slice(from, from + ROWS_A_STATEMENT)
    await withFence((trx) => insertProposals(trx, jobId, rows))
  }
}

async function insertProposals(trx: Db, jobId: string, rows: ReviewDraft['rows']): Promise<void> {
  await sql`
    insert into text_proposal (job_id, place, row_no, record_id, old_value, listing_id, listing_version, proposed,
                               label, title, before_text, after_text, why, change, lost)
    select ${jobId}, r.place, row_no, record_id, old_value, listing_id, listing_version, proposed, label, title,
           before_text, after_text, why, change, array(select jsonb_array_elements_text(r.lost))
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      place int, row_no int, record_id text, old_value jsonb, listing_id uuid, listing_version int,
      proposed jsonb, label text, title text, before_text text, after_text text, why text, change text, lost jsonb)
  `.execute(trx)
}

export type StoredReview = {
  readonly field: ReviewField
  readonly file: { readonly id: string; readonly version: number } | null
  readonly root: StagingRoot | null
  readonly path: string | null
  readonly leftOut: number
}

/** @throws AppError NOT_FOUND */
export async function requireReview(db: Db, jobId: string): Promise<StoredReview> {
  const { rows } = await sql<StoredReview>`
    select r.field, f.root, f.path, r.left_out as "leftOut",
           case when f.id is not null then json_build_object('id', f.id, 'version', r.file_version) end as file
    from text_review r left join staging_file f on f.id = r.file_id
    where r.job_id = ${jobId}
  `.execute(db)
  const [review] = rows
  if (review) return review
  throw new AppError(
    'NOT_FOUND',
    'This job has no texts to review. Run a script that writes texts or links with Dry run.',
  )
}

type Review = Answer<(typeof textReviewEndpoints)['readTextReview']>['review']

export async function presentReview(db: Db, jobId: string): Promise<Review> {
  const { field, file, root, path, leftOut } = await requireReview(db, jobId)
  const { rows } = await sql<Omit<Review, 'jobId' | 'field' | 'source' | 'leftOut'>>`
    select ${count(sql`decision = 'accepted'`)} as accepted, ${count(sql`decision = 'rejected'`)} as rejected,
           ${count(sql`decision is null and change <> 'refused'`)} as open,
           ${count(sql`outcome = 'written'`)} as written, ${count(sql`outcome = 'stale'`)} as stale,
           json_build_object('new', ${count(sql`change = 'new'`)}, 'added', ${count(sql`change = 'added'`)},
             'reworded', ${count(sql`change = 'reworded'`)}, 'drops', ${count(sql`change = 'drops'`)},
             'refused', ${count(sql`change = 'refused'`)}) as changes
    from text_proposal where job_id = ${jobId}
  `.execute(db)
  const source = file && root && path !== null ? { root, path, version: file.version } : null
  return { jobId, field, source, ...onlyRow(rows), leftOut }
}

const count = (where: RawBuilder<unknown>) => sql`(count(*) filter (where ${where}))::int`

export type ProposalFilter = {
  readonly q?: string | undefined
  readonly change?: TextChange | undefined
  readonly decision?: TextDecision | 'open' | undefined
}

const MOST_WORDS = 10

function matching(jobId: string, { q = '', change, decision }: ProposalFilter): RawBuilder<unknown> {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)
  const text = sql`lower(concat_ws(' ', p.label, p.title, p.before_text, p.after_text))`
  return sql`p.job_id = ${jobId}
    ${change === undefined ? sql`` : sql`and p.change = ${change}`}
    ${decision === undefined ? sql`` : ofDecision(decision)}
    ${sql.join(
      words.map((word) => sql`and position(${word} in ${text}) > 0`),
      sql` `,
    )}`
}

const ofDecision = (decision: TextDecision | 'open') =>
  decision === 'open'
    ? sql`and p.decision is null and p.change <> 'refused'`
    : sql`and p.decision = ${decision}`

type Page = { readonly after: number; readonly limit: number }

/** Lists a page of texts in run order, and counts all matches. */
export async function listProposals(
  db: Db,
  jobId: string,
  { after, limit, ...filter }: ProposalFilter & Page,
): Promise<{ total: number; items: TextProposal[]; next: number | null }> {
  const where = matching(jobId, filter)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from text_proposal p where ${where}`.execute(db)
  const { rows } = await sql<TextProposal>`
    select p.place, p.label, p.title, l.slug as partslug, p.before_text as before, p.after_text as after, p.change,
           p.lost, p.why, p.decision, p.outcome
    from text_proposal p left join listing l on l.id = p.listing_id
    where ${where} and p.place > ${after}
    order by p.place limit ${limit + 1}
  `.execute(db)
  const items = rows.slice(0, limit)
  return {
    total: onlyRow(counted).total,
    items,
    next: rows.length > limit ? (items.at(-1)?.place ?? null) : null,
  }
}

type Deciding = Pick<ProposalFilter, 'q' | 'change'> & {
  readonly decision: TextDecision | null
  readonly places?: readonly number[] | undefined
}

/** Decides on some texts, or on all that match; rejected and written texts are unchanged. */
export async function decideProposals(
  db: Db,
  jobId: string,
  { decision, places, q, change }: Deciding,
): Promise<number> {
  const chosen = places === undefined ? sql`` : sql`and p.place = any(${[...places]}::int[])`
  const { numAffectedRows } = await sql`
    update text_proposal p set decision = ${decision}
    where ${matching(jobId, { q, change })} ${chosen} and p.change <> 'refused' and p.outcome is null
      and p.decision is distinct from ${decision}
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
