import { Readable } from 'node:stream'
import type { Db } from '#server/platform/database/database.ts'
import { type EventRow, readEventsAfter } from './job-stream.ts'

const TYPES: Record<string, string> = {
  txt: 'text/plain; charset=utf-8',
  log: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
}

/**
 * The headers of a file that is saved and never shown in place: a script may have left anything in it, under any name. What
 * is no known kind of text comes as bytes.
 */
export function downloadHeaders(name: string): Record<string, string> {
  const extension = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const plain = name.replaceAll(/[^\w. -]/g, '_')
  return {
    'content-type': TYPES[extension] ?? 'application/octet-stream',
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded(name)}`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
}

/** RFC 8187 leaves fewer signs as they are than encodeURIComponent does. */
const encoded = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

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
