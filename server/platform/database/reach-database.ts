import pRetry from 'p-retry'
import pg from 'pg'
import { Refusal, reasonInWords } from '#server/platform/errors.ts'
import { isDatabaseDown } from './database.ts'

// Enough for a database that starts at the same time as this program; a wrong address should not take longer to report.
const PATIENCE_MS = 15_000
const ATTEMPT_MS = 4_000

/** Resolves once this user can query the database. @throws Refusal with the place and reason, without the password */
export async function reachDatabase(url: string): Promise<void> {
  try {
    await pRetry(() => connectOnce(url), {
      retries: Number.POSITIVE_INFINITY,
      maxRetryTime: PATIENCE_MS,
      minTimeout: 250,
      maxTimeout: 2_000,
      // Retrying does not help against a wrong password.
      shouldRetry: ({ error }) => isDatabaseDown(error),
    })
  } catch (error) {
    throw new Refusal(
      `The database at ${place(url)} cannot be used: ${reasonInWords(error)}. Check DATABASE_URL.`,
      {
        cause: error,
      },
    )
  }
}

async function connectOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ATTEMPT_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
  } finally {
    // It may never have connected.
    await client.end().catch(() => undefined)
  }
}

/** Host, port and database name, without secrets. */
function place(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}:${port || 5432}${pathname}`
}
