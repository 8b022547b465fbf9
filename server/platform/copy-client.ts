import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import { type CopyStreamQuery, from } from 'pg-copy-streams'

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
export function acceptCopies(client: pg.ClientBase): void {
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
