import { Readable } from 'node:stream'
import type { Db } from '#server/platform/database/database.ts'
import { type EventRow, readEventsAfter } from './job-stream-queries.ts'

/** All kept lines of a job, oldest first: time, stream, message. A page at a time, as fast as it is taken. */
export function openJobLog(db: Db, job: { id: string; createdAt: Date }): Readable {
  return Readable.from(logPieces(db, job))
}

async function* logPieces(db: Db, job: { id: string; createdAt: Date }): AsyncGenerator<string> {
  let after = 0
  for (;;) {
    const { events } = await readEventsAfter(db, job, after)
    const last = events.at(-1)
    if (!last) return
    after = last.seq
    const text = events.map(logLine).join('')
    if (text !== '') yield text
  }
}

/** Progress moves a bar; it says nothing in a log. That a run ended is its last status. */
function logLine({ kind, at, stream, message }: EventRow): string {
  if (kind === 'progress' || kind === 'done') return ''
  const said = kind === 'status' ? `the job is ${message}` : message
  return `${at.toISOString()}  ${stream ?? 'system'}  ${said}\n`
}
