import { setImmediate } from 'node:timers/promises'
import type { TaxonomyQuestion, TaxonomyResult } from '#contract/admin/taxonomy.ts'
import type { ImportQuestion } from '#contract/imports.ts'
import { lookupKey } from '#contract/trade-language/names.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { holdLookups, readLookupVersion } from '#server/features/market/lookups/lookup-changes.ts'
import { kindOf } from '#server/features/market/lookups/lookup-kind.ts'
import { insertQuestions, type LookupQuestion } from '#server/features/market/lookups/lookup-names.ts'
import {
  createProvisionalNames,
  MAX_NEW_NAME_ROWS,
  MAX_NEW_NAMES,
  tooManyNew,
  type UnknownNames,
} from '#server/features/market/lookups/new-names.ts'
import { LineFieldReader, SplicedText } from '#server/features/stock-files/store/line-fields.ts'
import {
  readSegmentText,
  type Segment,
  storeSegmentText,
} from '#server/features/stock-files/store/segments.ts'
import {
  findStagingFile,
  insertVersion,
  listSegments,
  lockStagingFile,
  type StagingFile,
} from '#server/features/stock-files/store/staged-files.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { releaseBytes } from '#server/platform/processes/concurrency.ts'
import { reportNames, reportQuestions } from './name-uses.ts'
import {
  nameFields,
  openMatchers,
  RowResolver,
  type SellersFile,
  type TaxonomyMatchers,
} from './row-resolver.ts'
import { lockNewNames, saveResult } from './taxonomy-queries.ts'

/*
 * Resolves the names of a whole staged file: reads its newest version, rewrites names that matched, creates new ones, and
 * saves the questions, a new version and a report in one transaction.
 */

const RETRY_SECONDS = 30

/** Each attempt to resolve a file failed because lookups changed in the meantime. */
export class LookupsChangedTooOften extends AppError {
  constructor() {
    super(
      'BUSY',
      'Categories, manufacturers or models are being changed right now, so no names were resolved. Please try again in a moment.',
      { retryAfterSeconds: RETRY_SECONDS },
    )
  }
}

// A file with more has a wrongly mapped column, which its plan will report.
export const MAX_QUESTIONS = 200

/** Whether a person can decide the name: a model only if its manufacturer exists. */
export const canBeDecided = ({
  kind,
  manufacturerId,
  rows,
}: Pick<TaxonomyQuestion, 'kind' | 'manufacturerId' | 'rows'>): boolean =>
  rows > 0 && (kind === 'car-model') === (manufacturerId !== null)

function questionsOf({ uses }: RowResolver): LookupQuestion[] {
  return uses
    .filter(({ verdict }) => verdict.kind === 'unsure')
    .map(({ kind, typed, partType: about, make, rows }) => ({
      kind,
      typed,
      about,
      manufacturerId: make?.id ?? null,
      rows,
    }))
    .filter(canBeDecided)
    .slice(0, MAX_QUESTIONS)
    .map(({ kind, ...question }) => ({ ...question, kind: kindOf(kind) }))
}

const number = (value: number) => value.toLocaleString('en-US')

/** Why the new names of a file are not created without a review, or null. */
function tooManyNewNamesReason({ newNames, rows, rowsWithNewNames }: RowResolver): string | null {
  const tooMany = tooManyNew({ newNames: newNames.count, rows, rowsWithNewNames })
  const rest = 'so none were created. Is a column mapped wrongly? Promoting the file asks again.'
  if (tooMany.names) {
    return `${number(newNames.count)} names are new, more than ${MAX_NEW_NAMES}, ${rest}`
  }
  if (tooMany.rows) {
    return `${number(rowsWithNewNames)} of ${number(rows)} rows have a new name, more than ${MAX_NEW_NAME_ROWS}%, ${rest}`
  }
  return null
}

type ResolvedFile = {
  readonly file: StagingFile
  readonly resolver: RowResolver
  readonly segments: readonly Segment[]
  readonly created: UnknownNames
  /** Why other new names were not created. */
  readonly stopped: string | null
  /** The version of the lookups it was resolved with. */
  readonly lookupVersion: number
}

/** `version`: the one that has the resolved names. */
function taxonomyResult({ file, resolver, created, stopped }: ResolvedFile, version: number): TaxonomyResult {
  const { uses, rows, rowsChanged, cellsChanged, spellingsReplaced } = resolver
  const createdCount = countOf(created)
  const unsureCount = uses.filter(({ verdict }) => verdict.kind === 'unsure').length
  const changed =
    rowsChanged === 0
      ? `All names in ${number(rows)} rows match`
      : `Resolved names in ${number(rowsChanged)} of ${number(rows)} rows`
  const names = createdCount === 1 ? 'name' : 'names'
  const news = createdCount === 0 ? '' : `, created ${number(createdCount)} new ${names}`
  return {
    message: `${changed}${news}${undecidedPhrase(unsureCount)}.`,
    root: file.root,
    files: [
      {
        path: file.path,
        contentType: 'application/json',
        version,
        updatedCount: rowsChanged,
        rewrittenCount: cellsChanged,
        modifiedCount: spellingsReplaced,
        createdCount,
      },
    ],
    createdCategories: [...created.categories],
    createdManufacturers: [...created.manufacturers],
    createdModels: created.models.map(({ manufacturer, model }) => ({ manufacturer, name: model })),
    names: reportNames(uses),
    unsure: reportQuestions(uses),
    unsureCount,
    stopped,
  }
}

const countOf = ({ categories, manufacturers, models }: UnknownNames) =>
  categories.length + manufacturers.length + models.length

/** The end of a result's message. */
export const undecidedPhrase = (count: number): string =>
  count === 0 ? '' : `; ${number(count)} ${count === 1 ? 'waits' : 'wait'} for a decision`

/** Whether these names are still new with the current lookups: another file may have created one in the meantime. */
function areStillNew(names: UnknownNames, { partTypes, makes, models }: TaxonomyMatchers): boolean {
  const newMakes = new Set(names.manufacturers.map(lookupKey))
  return (
    names.categories.every((name) => partTypes.match(name).kind === 'new') &&
    names.manufacturers.every((name) => makes.match(name).kind === 'new') &&
    names.models.every(({ manufacturer, model }) => {
      if (newMakes.has(lookupKey(manufacturer))) return true
      const make = makes.match(manufacturer)
      return make.kind === 'known' && models.match(make.id, model).kind === 'new'
    })
  )
}

// A few milliseconds of work.
const ROWS_PER_TURN = 250

type ResolveOptions = {
  readonly files: FileStore
  readonly resolver: RowResolver
  readonly signal?: AbortSignal
  onRows?(done: number): void
}

/**
 * The segments of a version with all names resolved; unchanged segments stay the same. At most three are in memory: one
 * being read, one being resolved, and one being stored.
 */
async function resolveSegments(
  segments: readonly Segment[],
  { files, resolver, signal, onRows }: ResolveOptions,
): Promise<Segment[]> {
  const resolved: Promise<Segment>[] = []
  const reader = new LineFieldReader(nameFields)
  const [even, odd] = [new SplicedText(), new SplicedText()]
  const textAt = (place: number) => {
    const segment = segments[place]
    return segment && awaitedLater(readSegmentText(files, segment.sha256))
  }
  let next = textAt(0)
  for (const [place, segment] of segments.entries()) {
    signal?.throwIfAborted()
    const text = await next
    next = textAt(place + 1)
    // One is stored while the other is filled.
    const target = place % 2 === 0 ? even : odd
    const rewritten = text && (await rewrite(text, { reader, resolver, target }))
    if (text) releaseBytes(text)
    await resolved.at(-1)
    const { rows, bytes } = segment
    const stored = rewritten
      ? storeSegmentText(files, rewritten, { rows, bytes: bytes + target.longer })
      : Promise.resolve(segment)
    resolved.push(awaitedLater(stored))
    onRows?.(resolver.rows)
  }
  return Promise.all(resolved)
}

/** A rejection before it is awaited must not end the process. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

type RewriteOptions = {
  readonly reader: LineFieldReader
  readonly resolver: RowResolver
  readonly target: SplicedText
}

/** The text with its changed lines, or undefined if none changed. */
async function rewrite(
  text: Buffer,
  { reader, resolver, target }: RewriteOptions,
): Promise<Buffer | undefined> {
  target.begin(text)
  for (let from = 0, row = 1; from < text.length; row += 1) {
    reader.begin(text, from)
    const changes = resolver.resolve((field) => reader.value(field))
    if (changes) reader.replace(changes, target)
    from = reader.endOfLine
    if (row % ROWS_PER_TURN === 0) await setImmediate()
  }
  return target.end()
}

export type TaxonomyDeps = {
  readonly db: Db
  readonly files: FileStore
  /** Runs the transaction that writes names, questions and the version; a job's is fenced. */
  readonly inOneTransaction: <T>(work: (trx: Db) => Promise<T>) => Promise<T>
  readonly signal?: AbortSignal
  onRows?(done: number, total: number): void
}

export type TaxonomyRun = {
  readonly root: StagingFile['root']
  readonly path: string
  /** The version the caller saw; undefined for the newest. */
  readonly version: number | undefined
  readonly by: { userId?: string; jobId?: string; ip?: string; requestId?: string }
  /** Creates only families: the promotion counts, reports and creates the other new names. */
  readonly leavesNewNames?: boolean
  /** For a seller's own import: the seller answers its questions. */
  readonly seller?: SellersFile
  /** Joins the transaction, whether or not there is a new version. */
  readonly onQuestions?: (trx: Db, questions: readonly ImportQuestion[]) => Promise<void>
  /** Joins the transaction that writes the new version. */
  readonly alongside?: (trx: Db, version: number) => Promise<void>
}

// Each retry means that someone saved the file or changed lookups in the meantime.
const MAX_TRIES = 5

/** Why an attempt wrote nothing. */
type Conflict = 'file-saved' | 'lookups-changed'

/**
 * Resolves the names of a file's newest version: matches get the lookup's spelling, new names are created (provisional),
 * and unsure names stay as text until a person decides. A second run changes nothing. Starts over if the file or the
 * lookups changed in the meantime.
 * @throws AppError NOT_FOUND, STALE if the file was saved, BUSY if lookups keep changing, STORAGE_FULL
 */
export async function resolveTaxonomy(deps: TaxonomyDeps, run: TaxonomyRun): Promise<TaxonomyResult> {
  let conflict: Conflict = 'file-saved'
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const file = await findStagingFile(deps.db, run.root, run.path)
    if (!file) throw new AppError('NOT_FOUND', `There is no staged file ${run.path} in ${run.root}.`)
    if (run.version !== undefined && run.version !== file.version) throw stale()
    const result = await resolveVersion(deps, run, file)
    if (typeof result !== 'string') return result
    conflict = result
  }
  throw conflict === 'file-saved' ? stale() : new LookupsChangedTooOften()
}

async function resolveVersion(
  deps: TaxonomyDeps,
  run: TaxonomyRun,
  file: StagingFile,
): Promise<TaxonomyResult | Conflict> {
  const { db, files, signal } = deps
  // Read the version first, so that names changed while loading count as outdated.
  const lookupVersion = await readLookupVersion(db)
  const resolver = new RowResolver(await openMatchers(db), run.seller ?? { isEdited: file.version > 1 })
  const before = await listSegments(db, file.id, file.version)
  const segments = await resolveSegments(before, {
    files,
    resolver,
    ...(signal && { signal }),
    onRows: (done) => deps.onRows?.(done, file.rows),
  })
  const stopped = tooManyNewNamesReason(resolver)
  const created = resolver.newNames.names({ onlyFamilies: stopped !== null || run.leavesNewNames === true })
  const resolved = { file, resolver, segments, created, stopped, lookupVersion }
  return deps.inOneTransaction(async (trx) => {
    const conflict = await lockUnchanged(db, trx, resolved)
    if (conflict) return conflict
    if (countOf(created) > 0) await createNames(trx, run, created)
    if (!run.seller) await insertQuestions(trx, file.id, questionsOf(resolver))
    await run.onQuestions?.(trx, resolver.questions)
    const version = resolver.rowsChanged === 0 ? file.version : await insertNewVersion(trx, run, resolved)
    const result = taxonomyResult(resolved, version)
    await saveResult(trx, file.id, { result, madeBy: run.by.userId })
    return result
  })
}

/** Locks the lookups and the file; returns what changed since they were read, or undefined. */
async function lockUnchanged(
  db: Db,
  trx: Db,
  { file, created, lookupVersion }: ResolvedFile,
): Promise<Conflict | undefined> {
  if ((await holdLookups(trx)) !== lookupVersion) return 'lookups-changed'
  if (countOf(created) > 0) {
    await lockNewNames(trx)
    if (!areStillNew(created, await openMatchers(db, trx))) return 'lookups-changed'
  }
  return (await lockStagingFile(trx, file.id)) === file.version ? undefined : 'file-saved'
}

async function insertNewVersion(
  trx: Db,
  { by, alongside }: TaxonomyRun,
  { file, resolver, segments }: ResolvedFile,
): Promise<number> {
  const version = file.version + 1
  const message = 'Taxonomy'
  await insertVersion(trx, {
    fileId: file.id,
    version,
    authorUserId: by.userId,
    message,
    segments,
    columns: [...new Set([...file.columns, ...resolver.columns])],
  })
  await writeAudit(trx, {
    action: 'staging-file-saved',
    target: `${file.root}:${file.path}`,
    ...(by.userId && { actorUserId: by.userId }),
    ...(by.jobId && { jobId: by.jobId }),
    ...(by.ip && { ip: by.ip }),
    ...(by.requestId && { requestId: by.requestId }),
    detail: { version, rows: file.rows, message },
  })
  await alongside?.(trx, version)
  return version
}

async function createNames(trx: Db, { by }: TaxonomyRun, names: UnknownNames): Promise<void> {
  const source = {
    actorKind: by.jobId ? ('job' as const) : ('user' as const),
    ...(by.userId && { actorUserId: by.userId }),
    ...(by.jobId && { jobId: by.jobId }),
    ...(by.requestId && { requestId: by.requestId }),
    reason: 'resolve taxonomy',
  }
  await withChangeSet(trx, source, async (opened, changeSetId) => {
    await createProvisionalNames(opened, changeSetId, names, by.userId ? 'administrator' : undefined)
  })
}

const stale = () =>
  new AppError('STALE', 'Someone else changed this file. Reload it, then resolve the names again.')
