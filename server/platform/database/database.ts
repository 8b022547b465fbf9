import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg, { DatabaseError } from 'pg'
import { type CopyStreamQuery, from } from 'pg-copy-streams'
import type { DB } from '#db/schema.gen.ts'
import type { Log } from '#server/platform/log.ts'
import { traceQueries } from '#server/platform/tracing/trace-queries.ts'
import { isBehindPooler } from './pooler.ts'

/** Below and above every generated id. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Node's error codes for an unreachable server or a broken connection. */
const NETWORK_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Whether an error `code` means a network failure, which is worth retrying. */
export function isUnreachable(code: unknown): boolean {
  return typeof code === 'string' && NETWORK_ERRORS.has(code)
}

/** The rows for `copy … from stdin` as chunks of text, passed as the only parameter of that statement. */
export class CopyText {
  readonly pieces: Iterable<Buffer>

  constructor(pieces: Iterable<Buffer>) {
    this.pieces = pieces
  }
}

type Query = (statement: unknown, parameters?: readonly unknown[], ...rest: unknown[]) => unknown

/**
 * Makes a connection run statements whose parameter is a CopyText. Kysely does not expose the connection of a
 * transaction, so COPY has to go through `query` like every other statement.
 */
function acceptCopies(client: pg.ClientBase): void {
  const query = client.query.bind(client) as Query
  const queryOrCopy: Query = (statement, parameters, ...rest) => {
    const [text]: unknown[] = Array.isArray(parameters) ? parameters : []
    if (!(text instanceof CopyText)) return query(statement, parameters, ...rest)
    return copy(query(from(String(statement))) as CopyStreamQuery, text.pieces)
  }
  client.query = queryOrCopy as typeof client.query
}

/** Returns a result like any statement. An error on either side ends the COPY before it is thrown. */
async function copy(stream: CopyStreamQuery, pieces: Iterable<Buffer>): Promise<pg.QueryResult> {
  let rejection: Error | undefined
  const ended = new Promise<void>((resolve) => {
    stream.once('finish', resolve)
    stream.on('error', (error) => {
      rejection ??= error
      resolve()
    })
  })
  try {
    for (const piece of pieces) {
      if (!stream.write(piece)) await once(stream, 'drain')
      // The socket may accept many chunks in a row; this lets other work run and delivers errors from the server.
      await setImmediate()
      if (rejection) throw rejection
    }
    stream.end()
  } catch (error) {
    // A row could not be formatted: abort the COPY and wait for the server to confirm.
    if (!rejection) stream.destroy(error instanceof Error ? error : new Error(String(error)))
    await ended
    throw error
  }
  await ended
  if (rejection) throw rejection
  return { command: 'COPY', rowCount: stream.rowCount, oid: 0, fields: [], rows: [] }
}

const MARK = '/* prepared */'

// Each takes half a megabyte in the server process of every connection. The most frequent statements come first.
const MAX_PREPARED = 40

const names = new Map<string, string>()

/**
 * Makes a connection plan statements that begin with the comment "prepared" only once: planning is more than half of
 * the work of a short page (decision 23). Do not use it for text searches with words as parameters: after five runs
 * PostgreSQL plans a prepared statement without its values, so a rare word gets the plan of a frequent one.
 */
function keepPrepared(client: pg.ClientBase): void {
  const query = client.query.bind(client) as Query
  const queryPrepared: Query = (statement, parameters, ...rest) => {
    const name = nameOf(statement)
    if (name === undefined) return query(statement, parameters, ...rest)
    return query({ name, text: statement, values: parameters })
  }
  client.query = queryPrepared as typeof client.query
}

/** The name of a prepared statement; undefined for one that is planned every time. */
function nameOf(statement: unknown): string | undefined {
  if (typeof statement !== 'string' || !statement.trimStart().startsWith(MARK)) return undefined
  const known = names.get(statement)
  if (known !== undefined || names.size >= MAX_PREPARED) return known
  const name = `prepared_${names.size + 1}`
  names.set(statement, name)
  return name
}

/** The first parameter of SQL functions: the pool's Kysely or one of its transactions. */
export type Db = Kysely<DB>

export type Database = {
  readonly db: Db
  readonly pool: pg.Pool
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>
}

export type DatabaseOptions = {
  /** The pool's size; all processes together must stay below the server's max_connections. */
  max: number
  /** Shown in pg_stat_activity. */
  applicationName: string
  log?: Log
  statementTimeoutMs?: number
}

// A request that waits longer for a connection gets a 503 with Retry-After instead.
const SLOT_TIMEOUT_MS = 2_000
// A new connection reads its catalog and plans every statement first, up to 300 ms. Pages of parts beside orders waited for
// such ones at the driver's ten seconds: p99 was ten times that of quiet.
const IDLE_MS = 5 * 60_000
// The slowest allowed page takes under 1 s; a longer query blocks a connection that others need.
const STATEMENT_TIMEOUT_MS = 10_000
// The server cancels first; this is for a half-open connection on which no reply will ever arrive.
const REPLY_GRACE_MS = 5_000
// A process that hangs in the middle of a transaction must not keep row locks for longer.
const IDLE_IN_TRANSACTION_MS = 30_000

/**
 * Opens a connection pool with Kysely on top. It connects lazily and so never fails itself. Values are parsed as: bigint →
 * number (beyond 2^53 throws), timestamptz → Date, date → 'YYYY-MM-DD' text, numeric and interval → text.
 */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS
  const isPooled = isBehindPooler(url)
  const pool = new pg.Pool({
    connectionString: url,
    application_name: options.applicationName,
    max: options.max,
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: SLOT_TIMEOUT_MS,
    query_timeout: statementTimeoutMs + REPLY_GRACE_MS,
    // Behind a pooler the role has them (docs/scaling.md).
    ...(!isPooled && {
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    }),
    keepAlive: true,
    types: valueTypes(),
  })
  // A broken connection also emits an event, idle or in a transaction. Without listeners that would end the process;
  // running queries get the error themselves. Only the message is logged because the driver attaches its whole client to
  // the error.
  pool.on('error', (error) => options.log?.warn({ reason: error.message }, 'idle database connection lost'))
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    acceptCopies(client)
    if (!isPooled) keepPrepared(client)
    traceQueries(client)
  })
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, close: () => pool.end() }
}

const INT8 = 20
const INT8_ARRAY = 1016
const DATE = 1082
const DATE_ARRAY = 1182
const TEXT_ARRAY: number = 1009
const INTERVAL = 1186

/** Parsers for this pool only; pg's own `setTypeParser` would change them for every library in the process. */
function valueTypes(): InstanceType<typeof pg.TypeOverrides> {
  const types = new pg.TypeOverrides()
  const elements: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY)
  types.setTypeParser(INT8, wholeNumber)
  types.setTypeParser(INT8_ARRAY, (text) =>
    elements(text).map((element) => (element === null ? null : wholeNumber(element))),
  )
  types.setTypeParser(DATE, (text) => text)
  types.setTypeParser(DATE_ARRAY, elements)
  types.setTypeParser(INTERVAL, (text) => text)
  return types
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a JavaScript number`)
  return value
}

/** No connection of the pool became free within 2 s: the service is busy, though the database may be fine. */
export function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

// Class 08 connection exceptions; 57P01-57P05 shutdown, crash, starting up, dropped, idle timeout; 53300 too many clients.
const DOWN_STATES = /^(08...|57P0[1-5]|53300)$/
// Driver messages that come without a code.
const DOWN_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout expired|Client was closed)/

/**
 * The database is unreachable or restarting. Such an error becomes a 503 with Retry-After, never counts as a job's
 * attempt, and is worth retrying.
 */
export function isDatabaseDown(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isDatabaseDown)
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return DOWN_STATES.test(code) || isUnreachable(code) || DOWN_MESSAGES.test(error.message)
}

/** Runs work in a transaction, joining one that is already open (such as that of an Idempotency-Key). */
export function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}

/** The row of a statement that always returns one. */
export function onlyRow<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('a statement of one row returned none')
  return row
}

const FOREIGN_KEY_VIOLATION = '23503'

/** The foreign key that rejected a write because the referenced row does not exist; undefined for other failures. */
export function brokenForeignKey(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError) || error.code !== FOREIGN_KEY_VIOLATION) return undefined
  return error.constraint
}

const UNIQUE_VIOLATION = '23505'

/** Whether a write failed because this unique constraint or index already contains the value. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
}

// Foreign key, unique constraint, deadlock.
const CONFLICTS = new Set(['23503', '23505', '40P01'])

/** Whether a write failed because of a concurrent write, so that a retry may succeed. */
export function isWriteConflict(error: unknown): boolean {
  return error instanceof DatabaseError && CONFLICTS.has(error.code ?? '')
}
