import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { EventParser } from '#web/api/event-stream.ts'

/* Lines of a script from its process to somebody who reads its stream over HTTP. */

export type LinesFigures = {
  readonly lines: number
  /** Lines a second, from the first one to the last at the reader. */
  readonly read: number
  /** And from the first to the last as they were stored. */
  readonly stored: number
  /** How long after it was stored the reader had the last line. */
  readonly lastMs: number
}

type At = { readonly address: string; readonly token: string; readonly db: Db }

/** Runs the self-check with so many lines and as fast as it prints. */
export async function measureLines(at: At, lines: number): Promise<LinesFigures> {
  const jobId = await enqueueLines(at, lines)
  const { firstAt, lastAt, count } = await readLines(at, jobId)
  if (count < lines) throw new Error(`${count} of ${lines} lines came`)
  const stored = await storedTimes(at.db, jobId)
  return {
    lines,
    read: (1_000 * count) / (lastAt - firstAt),
    stored: (1_000 * lines) / (stored.lastAt - stored.firstAt),
    lastMs: lastAt - stored.lastAt,
  }
}

async function enqueueLines({ address, token }: At, lines: number): Promise<string> {
  const flags = { lines, seconds: 0, dryRun: true }
  const response = await fetch(`${address}/api/admin/automation/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ queue: 'preprocess', payload: { scriptId: 'self-check', flags } }),
  })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return ((await response.json()) as { jobId: string }).jobId
}

async function readLines({ address, token }: At, jobId: string) {
  const response = await fetch(`${address}/api/admin/automation/jobs/${jobId}/stream`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!response.body) throw new Error(`${response.status}: ${await response.text()}`)
  const parser = new EventParser()
  let count = 0
  let firstAt = 0
  let lastAt = 0
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const logs = parser.push(piece).filter(({ event }) => event === 'log')
    if (logs.length === 0) continue
    if (count === 0) firstAt = Date.now()
    lastAt = Date.now()
    count += logs.length
  }
  return { firstAt, lastAt, count }
}

async function storedTimes(db: Db, jobId: string): Promise<{ firstAt: number; lastAt: number }> {
  const { rows } = await sql<{ first: Date; last: Date }>`
    select min(at) as first, max(at) as last from job_event where job_id = ${jobId} and kind = 'log'`.execute(
    db,
  )
  const [times] = rows
  if (!times) throw new Error('the lines are not stored')
  return { firstAt: times.first.getTime(), lastAt: times.last.getTime() }
}
