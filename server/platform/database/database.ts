import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg, { DatabaseError } from 'pg'
import { type CopyStreamQuery, from } from 'pg-copy-streams'
import type { DB } from '#db/schema.gen.ts'
import type { Log } from '#server/platform/log.ts'

/** Node's codes for a server that cannot be reached, or that broke the connection off. */
const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Is this the `code` of a failure of the network? Such a call is worth trying again. */
export function isUnreachable(code: unknown): boolean {
  return typeof code === 'string' && CODES.has(code)
}

/** The rows of a `copy … from stdin`, as text in pieces; sent as the only parameter of that statement. */
export class CopyText {
  readonly pieces: Iterable<Buffer>

  constructor(pieces: Iterable<Buffer>) {
    this.pieces = pieces
  }
}

type Query = (statement: unknown, parameters?: readonly unknown[], ...rest: unknown[]) => unknown

/**
 * Teaches a connection to run a statement whose parameter is a CopyText. Kysely keeps the connection of a transaction to
 * itself, so that a COPY can only come in the way that every statement comes.
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

/** Answers as a statement does. An error, whoever's it is, ends the COPY before it is thrown. */
async function copy(stream: CopyStreamQuery, pieces: Iterable<Buffer>): Promise<pg.QueryResult> {
  let refusal: Error | undefined
  const ended = new Promise<void>((resolve) => {
    stream.once('finish', resolve)
    stream.on('error', (error) => {
      refusal ??= error
      resolve()
    })
  })
  try {
    for (const piece of pieces) {
      if (!stream.write(piece)) await once(stream, 'drain')
      // The system may take piece after piece at once; other work has its turn, and a refusal is heard.
      await setImmediate()
      if (refusal) throw refusal
    }
    stream.end()
  } catch (error) {
    // A row that could not be made: the server is told to forget the others, and says when it has.
    if (!refusal) stream.destroy(error instanceof Error ? error : new Error(String(error)))
    await ended
    throw error
  }
  await ended
  if (refusal) throw refusal
  return { command: 'COPY', rowCount: stream.rowCount, oid: 0, fields: [], rows: [] }
}

const MARK = '/* prepared */'

// Each takes half a megabyte of every connection's server process. The first ones are those that run most often.
const MAX_PREPARED = 40

const names = new Map<string, string>()

/**
 * Has a connection plan a statement that begins with the comment "prepared" only once: planning is more than half of
 * the work of a short page (decision 23). Not for text searches with their words as parameters: after five runs PostgreSQL
 * plans a prepared statement without its values, and then a rare word is planned like a frequent one.
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

/** Undefined for a statement that is planned every time. */
function nameOf(statement: unknown): string | undefined {
  if (typeof statement !== 'string' || !statement.trimStart().startsWith(MARK)) return undefined
  const known = names.get(statement)
  if (known !== undefined || names.size >= MAX_PREPARED) return known
  const name = `prepared_${names.size + 1}`
  names.set(statement, name)
  return name
}

/** What SQL functions take: the pool's Kysely or a transaction of it. */
export type Db = Kysely<DB>

export type Database = {
  readonly db: Db
  readonly pool: pg.Pool
  /** Waits for queries that are running, then closes every connection. */
  close(): Promise<void>
}

export type DatabaseOptions = {
  /** Connections this process may hold; all processes together must stay below the server's max_connections. */
  max: number
  /** Shown in pg_stat_activity, so that an operator sees whose connection it is. */
  applicationName: string
  log?: Log
  statementTimeoutMs?: number
}

// 2 s: a request that waits longer for a slot is better answered 503 with Retry-After than left hanging (D5).
const SLOT_TIMEOUT_MS = 2_000
// 10 s: the slowest page we allow takes under 1 s; a query beyond this holds a slot that others need.
const STATEMENT_TIMEOUT_MS = 10_000
// The server cancels first; this is for a half-open connection on which no answer will ever come (D4).
const ANSWER_GRACE_MS = 5_000
// 30 s: a process that stops in the middle of a transaction must not keep row locks for longer.
const IDLE_IN_TRANSACTION_MS = 30_000

/**
 * Opens a pool and Kysely on top of it. Connects lazily, so it never fails itself. Values arrive as: bigint → number
 * (money in cents fits; beyond 2^53 throws), timestamptz → Date, date → 'YYYY-MM-DD' text, numeric
 * and interval → text.
 */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS
  const pool = new pg.Pool({
    connectionString: url,
    application_name: options.applicationName,
    max: options.max,
    connectionTimeoutMillis: SLOT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    types: valueTypes(),
  })
  // A connection that breaks tells it by an event as well, idle or in the middle of a transaction (a database restart).
  // Without listeners either would end the whole process (D3); whoever works on it gets the error from the query. Only
  // the sentence is logged: the driver hangs its whole client on the error.
  pool.on('error', (error) => options.log?.warn({ reason: error.message }, 'idle database connection lost'))
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    acceptCopies(client)
    keepPrepared(client)
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

/** Parsers of one pool; pg's own `setTypeParser` would change them for every library in the process. */
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

/** Every slot of the pool stayed taken for 2 s: the service is busy, the database itself may be well. */
export function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

// Class 08 connection exceptions; 57P01-57P05 shutdown, crash, starting up, dropped, idle timeout; 53300 too many clients.
const DOWN_STATES = /^(08...|57P0[1-5]|53300)$/
// Sentences of the driver for which it sets no code.
const DOWN_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout expired|Client was closed)/

/**
 * The database cannot be reached or is restarting. Such an error is answered 503 with Retry-After, is never counted
 * as an attempt of a job, and is worth trying again.
 */
export function isDatabaseDown(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isDatabaseDown)
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return DOWN_STATES.test(code) || isUnreachable(code) || DOWN_MESSAGES.test(error.message)
}

/** Runs work in one transaction; joins the one that is open already (that of an Idempotency-Key, say). */
export function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}

const FOREIGN_KEY_VIOLATION = '23503'

/** The constraint that refused a write because what it points to is not there (any more); undefined for other failures. */
export function brokenForeignKey(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError) || error.code !== FOREIGN_KEY_VIOLATION) return undefined
  return error.constraint
}

const UNIQUE_VIOLATION = '23505'

/** Did a write fail because this constraint (or unique index) already holds such a value? */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
}

// Foreign key, unique constraint, deadlock: what was referred to is gone, what is written is there by now, or two waited
// for one another.
const CONFLICTS = new Set(['23503', '23505', '40P01'])

/** Whether a write failed for what others did at the same moment, so that it may succeed when it is looked at anew. */
export function isWriteConflict(error: unknown): boolean {
  return error instanceof DatabaseError && CONFLICTS.has(error.code ?? '')
}
