import type { TaxonomyResult } from '#contract/taxonomy.ts'
import { withChangeSet } from '#server/features/history/with-change-set.ts'
import {
  createProvisionalNames,
  type UnknownNames,
} from '#server/features/lookups/create-provisional-names.ts'
import { holdLookups, readLookupVersion } from '#server/features/lookups/lookup-version-queries.ts'
import { insertQuestions } from '#server/features/lookups/question-queries.ts'
import {
  findStagingFile,
  insertVersion,
  listSegments,
  lockStagingFile,
  type StagingFile,
} from '#server/features/staging/queries.ts'
import type { Segment } from '#server/features/staging/segment.ts'
import { AppError } from '#server/platform/app-error.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { NamesChanging } from './names-changing.ts'
import { keepResult, loadTaxonomyNames, lockNewNames } from './queries.ts'
import { resolveSegments } from './resolve-segments.ts'
import { RowResolver } from './row-resolver.ts'
import { isStillNew } from './still-new.ts'
import { taxonomyMatchers } from './taxonomy-matchers.ts'
import { questionsOf } from './taxonomy-questions.ts'
import { taxonomyResult, tooManyNewNamesReason } from './taxonomy-result.ts'

export type TaxonomyDeps = {
  readonly db: Db
  readonly files: FileStore
  /** The one transaction in which names, questions and the version are written: a job's is fenced. */
  readonly inOneTransaction: <T>(work: (trx: Db) => Promise<T>) => Promise<T>
  readonly signal?: AbortSignal
  onRows?(done: number, total: number): void
}

export type TaxonomyRun = {
  readonly root: StagingFile['root']
  readonly path: string
  /** The version that was looked at; undefined resolves whatever is there. */
  readonly version: number | undefined
  readonly by: { userId?: string; jobId?: string; ip?: string; requestId?: string }
  /** New names are left to whoever makes the file live, who counts and tells them; only families are made. */
  readonly leavesNewNames?: boolean
  /** Joins the transaction that writes the new version. */
  readonly alongside?: (trx: Db, version: number) => Promise<void>
}

// As often as somebody may save the file, or change lookups, while it is resolved.
const MOST_TRIES = 5

/** What changed under a try, so that it wrote nothing. */
type Overtaken = 'by a save' | 'by other names'

/**
 * Resolves the names of a file's newest version: what is certain is written as the lookups have it, what nobody has is made
 * (provisional), what is unsure stays as text and waits for a decision. Names, questions, the new version and what is told
 * of it come in one transaction. A second run changes nothing. Where the file or the lookups changed meanwhile it begins
 * again.
 * @throws AppError NOT_FOUND, STALE where the file was saved, BUSY where lookups change all the while, STORAGE_FULL
 */
export async function resolveTaxonomy(deps: TaxonomyDeps, run: TaxonomyRun): Promise<TaxonomyResult> {
  let overtaken: Overtaken = 'by a save'
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const file = await findStagingFile(deps.db, run.root, run.path)
    if (!file) throw new AppError('NOT_FOUND', `There is no staged file ${run.path} in ${run.root}.`)
    if (run.version !== undefined && run.version !== file.version) throw stale()
    const made = await resolveVersion(deps, run, file)
    if (typeof made !== 'string') return made
    overtaken = made
  }
  throw overtaken === 'by a save' ? stale() : new NamesChanging()
}

async function resolveVersion(
  deps: TaxonomyDeps,
  run: TaxonomyRun,
  file: StagingFile,
): Promise<TaxonomyResult | Overtaken> {
  const { db, files, signal } = deps
  // The version comes first: names that change while they are read are taken for old.
  const lookupVersion = await readLookupVersion(db)
  const resolver = new RowResolver(taxonomyMatchers(await loadTaxonomyNames(db)))
  const before = await listSegments(db, file.id, file.version)
  const segments = await resolveSegments(before, {
    files,
    resolver,
    ...(signal && { signal }),
    onRows: (done) => deps.onRows?.(done, file.rows),
  })
  const stopped = tooManyNewNamesReason(resolver)
  const created = resolver.newNames.names({ onlyFamilies: stopped !== null || run.leavesNewNames === true })
  return deps.inOneTransaction(async (trx) => {
    const version = await write(trx, { run, file, resolver, segments, created, lookupVersion })
    if (typeof version === 'string') return version
    const result = taxonomyResult({ file, version, resolver, created, stopped })
    await keepResult(trx, file.id, { result, madeBy: run.by.userId })
    return result
  })
}

type Writing = {
  run: TaxonomyRun
  file: StagingFile
  resolver: RowResolver
  segments: readonly Segment[]
  created: UnknownNames
  lookupVersion: number
}

async function write(trx: Db, writing: Writing): Promise<number | Overtaken> {
  const { run, file, resolver, created, lookupVersion } = writing
  if ((await holdLookups(trx)) !== lookupVersion) return 'by other names'
  if (hasNames(created)) {
    await lockNewNames(trx)
    if (!isStillNew(created, taxonomyMatchers(await loadTaxonomyNames(trx)))) return 'by other names'
  }
  if ((await lockStagingFile(trx, file.id)) !== file.version) return 'by a save'
  if (hasNames(created)) await makeNames(trx, run, created)
  await insertQuestions(trx, file.id, questionsOf(resolver))
  if (resolver.rowsChanged === 0) return file.version
  const version = file.version + 1
  await insertNewVersion(trx, writing, version)
  await run.alongside?.(trx, version)
  return version
}

async function insertNewVersion(
  trx: Db,
  { run, file, resolver, segments }: Writing,
  version: number,
): Promise<void> {
  const message = 'Taxonomy'
  await insertVersion(trx, {
    fileId: file.id,
    version,
    authorUserId: run.by.userId,
    message,
    segments,
    columns: [...new Set([...file.columns, ...resolver.columns])],
  })
  await writeAudit(trx, {
    action: 'staging-file-saved',
    target: `${file.root}:${file.path}`,
    ...(run.by.userId && { actorUserId: run.by.userId }),
    ...(run.by.ip && { ip: run.by.ip }),
    ...(run.by.requestId && { requestId: run.by.requestId }),
    detail: { version, rows: file.rows, message },
  })
}

const hasNames = ({ categories, manufacturers, models }: UnknownNames) =>
  categories.length + manufacturers.length + models.length > 0

async function makeNames(trx: Db, { by }: TaxonomyRun, names: UnknownNames): Promise<void> {
  const source = {
    actorKind: by.jobId ? ('job' as const) : ('user' as const),
    ...(by.userId && { actorUserId: by.userId }),
    ...(by.jobId && { jobId: by.jobId }),
    ...(by.requestId && { requestId: by.requestId }),
    reason: 'resolve taxonomy',
  }
  await withChangeSet(trx, source, async (opened, changeSetId) => {
    await createProvisionalNames(opened, changeSetId, names)
  })
}

const stale = () =>
  new AppError(
    'STALE',
    'The file was changed by somebody else meanwhile. Load it again, then resolve it again.',
  )
