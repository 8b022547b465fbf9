import pg from 'pg'

const MARK = '/* prepared */'

// Each takes half a megabyte of every connection's server process. Those who come first are those that are asked often.
const MOST_PREPARED = 40

const names = new Map<string, string>()

type Query = (statement: unknown, parameters?: unknown, ...rest: unknown[]) => unknown

/** What the driver makes of the server's description of a statement's rows. */
type Described = { fields: unknown; _parsers: unknown; _prebuiltEmptyResultObject: unknown }
/** The driver's own query, as far as we reach into it. */
type DriverQuery = pg.Query & {
  _result: Described
  _accumulateRows: boolean
  prepare(connection: object): void
}

/**
 * Teaches a connection to plan a statement that begins with the comment "prepared" once instead of every time: reading
 * a page with its names and pictures takes a third of the time then. Not for searches: after some runs PostgreSQL plans
 * a prepared statement without looking at its values, and a rare word is no broad word.
 */
export function keepPrepared(client: pg.ClientBase): void {
  const query = client.query.bind(client) as Query
  const described = new Map<string, Described>()
  const queryPrepared: Query = (statement, parameters, ...rest) => {
    const name = nameOf(statement)
    if (typeof statement !== 'string' || name === undefined) return query(statement, parameters, ...rest)
    // A configuration with a name would do, but the driver copies it by its descriptors: as much work as sending it.
    return new Promise((resolve, reject) => {
      const values = Array.isArray(parameters) ? parameters : []
      const prepared = new pg.Query(statement, values, (error, result) => {
        if (error) return reject(error)
        if (!described.has(name)) described.set(name, descriptionOf(prepared))
        resolve(result)
      }) as DriverQuery
      const known = described.get(name)
      if (known) skipDescription(prepared, known)
      query(Object.assign(prepared, { name }))
    })
  }
  client.query = queryPrepared as typeof client.query
}

function descriptionOf({
  _result: { fields, _parsers, _prebuiltEmptyResultObject },
}: DriverQuery): Described {
  return { fields, _parsers, _prebuiltEmptyResultObject }
}

/**
 * The rows of a statement that is planned once never look otherwise, so the server is asked for their description once as
 * well. Of the 60 columns of a page, told and taken apart each time, that is a tenth of reading it.
 */
function skipDescription(query: DriverQuery, known: Described): void {
  Object.assign(query._result, known)
  query._accumulateRows = true
  const { prepare } = query
  query.prepare = (connection) =>
    prepare.call(query, Object.create(connection, { describe: { value: () => undefined } }))
}

/** Undefined for a statement that is not to be kept. */
function nameOf(statement: unknown): string | undefined {
  if (typeof statement !== 'string' || !statement.trimStart().startsWith(MARK)) return undefined
  const known = names.get(statement)
  if (known !== undefined || names.size >= MOST_PREPARED) return known
  const name = `prepared_${names.size + 1}`
  names.set(statement, name)
  return name
}
