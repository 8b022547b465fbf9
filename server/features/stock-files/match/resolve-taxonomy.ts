import { setImmediate } from 'node:timers/promises'
import type { TaxonomyQuestion, TaxonomyResult } from '#contract/taxonomy.ts'
import { withChangeSet } from '#server/features/history/change-sets.ts'
import { holdLookups, readLookupVersion } from '#server/features/lookups/lookup-changes.ts'
import { kindOf } from '#server/features/lookups/lookup-kind.ts'
import { insertQuestions, type LookupQuestion, nameKey } from '#server/features/lookups/lookup-names.ts'
import {
  createProvisionalNames,
  MOST_NEW_NAME_ROWS,
  MOST_NEW_NAMES,
  tooManyNew,
  type UnknownNames,
} from '#server/features/lookups/new-names.ts'
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
import {
  namedFields,
  namesTold,
  questionsTold,
  type RowNames,
  RowResolver,
  type TaxonomyMatchers,
  taxonomyMatchers,
} from './row-resolver.ts'
import { keepResult, loadTaxonomyNames, lockNewNames } from './taxonomy-queries.ts'

const RETRY_SECONDS = 30

/** Lookups were changed during each try to resolve a file, which itself nobody touched. It passes. */
export class NamesChanging extends AppError {
  constructor() {
    super(
      'BUSY',
      'Categories, manufacturers or models are being changed all the while, so no name was resolved. Please try again when that is done.',
      { retryAfterSeconds: RETRY_SECONDS },
    )
  }
}

// What nobody reads through is a column mapped wrongly; the plan stops such a file.
export const MOST_QUESTIONS = 200

/** Whether somebody is asked: a model is one of a manufacturer that is there. */
export const isAsked = ({
  kind,
  manufacturerId,
  rows,
}: Pick<TaxonomyQuestion, 'kind' | 'manufacturerId' | 'rows'>): boolean =>
  rows > 0 && (kind === 'car-model') === (manufacturerId !== null)

/** The questions of a file's unsure names. */
function questionsOf(resolver: RowResolver): LookupQuestion[] {
  return resolver.uses
    .filter(({ verdict }) => verdict.kind === 'unsure')
    .map(({ kind, typed, make, rows }) => ({ kind, typed, manufacturerId: make?.id ?? null, rows }))
    .filter(isAsked)
    .slice(0, MOST_QUESTIONS)
    .map(({ kind, typed, manufacturerId }) => ({ kind: kindOf(kind), typed, manufacturerId }))
}

const number = (value: number) => value.toLocaleString('en-US')

/** Why the new names of a file are not made before somebody looked at them. */
function tooManyNewNamesReason({ newNames, rows, rowsWithNewNames }: RowResolver): string | null {
  const tooMany = tooManyNew({ newNames: newNames.count, rows, rowsWithNewNames })
  if (tooMany.names) {
    return `${number(newNames.count)} names are new, more than ${MOST_NEW_NAMES}: none of them was made. Is a column mapped wrongly? Promoting the file asks once more.`
  }
  if (tooMany.rows) {
    return `${number(rowsWithNewNames)} of ${number(rows)} rows have a new name, more than ${MOST_NEW_NAME_ROWS} %: none was made. Is a column mapped wrongly? Promoting the file asks once more.`
  }
  return null
}

type Resolved = {
  readonly file: StagingFile
  /** The version that says so now. */
  readonly version: number
  readonly resolver: RowResolver
  readonly created: UnknownNames
  readonly stopped: string | null
}

function taxonomyResult({ file, version, resolver, created, stopped }: Resolved): TaxonomyResult {
  const { uses, rowsChanged, cellsChanged, spellingsReplaced } = resolver
  const createdCount = created.categories.length + created.manufacturers.length + created.models.length
  const unsureCount = uses.filter(({ verdict }) => verdict.kind === 'unsure').length
  return {
    message: sentence({ rowsChanged, rows: resolver.rows, createdCount, unsureCount }),
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
    names: namesTold(uses),
    unsure: questionsTold(uses),
    unsureCount,
    stopped,
  }
}

type Counts = { rowsChanged: number; rows: number; createdCount: number; unsureCount: number }

function sentence({ rowsChanged, rows, createdCount, unsureCount }: Counts): string {
  const changed =
    rowsChanged === 0
      ? `All names of ${number(rows)} rows stand as they should`
      : `Names were resolved in ${number(rowsChanged)} of ${number(rows)} rows`
  const created =
    createdCount === 0
      ? ''
      : `, ${number(createdCount)} new ${createdCount === 1 ? 'name was' : 'names were'} made`
  return `${changed}${created}${openInWords(unsureCount)}.`
}

/** The end of a result's sentence. */
export const openInWords = (unsureCount: number): string =>
  unsureCount === 0 ? '' : `; ${number(unsureCount)} ${unsureCount === 1 ? 'waits' : 'wait'} for a decision`

/** Would all of these names still be made, by lookups as they stand now? Another file may have brought one meanwhile. */
function isStillNew(names: UnknownNames, { categories, manufacturers, models }: TaxonomyMatchers): boolean {
  const newMakes = new Set(names.manufacturers.map(nameKey))
  return (
    names.categories.every((name) => categories.match(name).kind === 'new') &&
    names.manufacturers.every((name) => manufacturers.match(name).kind === 'new') &&
    names.models.every(({ manufacturer, model }) => {
      if (newMakes.has(nameKey(manufacturer))) return true
      const make = manufacturers.match(manufacturer)
      return make.kind === 'known' && models.match(make.id, model).kind === 'new'
    })
  )
}

// A few milliseconds of work at once.
const ROWS_A_TURN = 250

type Resolving = {
  readonly files: FileStore
  readonly resolver: RowResolver
  readonly signal?: AbortSignal
  onRows?(done: number): void
}

/**
 * The segments of a version with all names resolved. One without a change stays the same; of the others no more than three
 * are in memory: the one that is worked on, the one that is read and the one that is stored meanwhile.
 */
async function resolveSegments(
  segments: readonly Segment[],
  { files, resolver, signal, onRows }: Resolving,
): Promise<Segment[]> {
  const resolved: Promise<Segment>[] = []
  const reader = new LineFieldReader(namedFields)
  const [even, odd] = [new SplicedText(), new SplicedText()]
  const textAt = (place: number) => {
    const segment = segments[place]
    return segment && handled(readSegmentText(files, segment.sha256))
  }
  let next = textAt(0)
  for (const [place, segment] of segments.entries()) {
    signal?.throwIfAborted()
    const text = await next
    next = textAt(place + 1)
    // What the one holds is stored while the other one is filled.
    const target = place % 2 === 0 ? even : odd
    const rewritten = text && (await rewrite(text, { reader, resolver, target }))
    if (text) releaseBytes(text)
    await resolved.at(-1)
    const { rows, bytes } = segment
    const stored = rewritten
      ? storeSegmentText(files, rewritten, { rows, bytes: bytes + target.longer })
      : Promise.resolve(segment)
    resolved.push(handled(stored))
    onRows?.(resolver.rows)
  }
  return Promise.all(resolved)
}

/** Waited for later; an error in between must not end the process. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

type Rewriting = {
  readonly reader: LineFieldReader
  readonly resolver: RowResolver
  readonly target: SplicedText
}

/** The text with its changed lines; undefined where there is none. */
async function rewrite(text: Buffer, { reader, resolver, target }: Rewriting): Promise<Buffer | undefined> {
  const names = namesOfLine(reader)
  target.begin(text)
  for (let from = 0, row = 1; from < text.length; row += 1) {
    reader.begin(text, from)
    const changes = resolver.resolve(names)
    if (changes) reader.replace(changes, target)
    from = reader.endOfLine
    if (row % ROWS_A_TURN === 0) await setImmediate()
  }
  return target.end()
}

/** Of whichever line the reader has turned to: the trim, far behind, is hardly ever asked for. */
function namesOfLine(reader: LineFieldReader): RowNames {
  return {
    get partcategory() {
      return reader.value('partcategory')
    },
    get partmanu() {
      return reader.value('partmanu')
    },
    get partmodel() {
      return reader.value('partmodel')
    },
    get parttrim() {
      return reader.value('parttrim')
    },
    get partyear() {
      return reader.value('partyear')
    },
  }
}

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
