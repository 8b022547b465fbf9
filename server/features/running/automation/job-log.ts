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
 * Headers for a file that browsers save and never display: a script may write any content under any name. Unknown types
 * are sent as bytes.
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

/** RFC 8187 allows fewer unescaped characters than encodeURIComponent. */
const encoded = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Streams all stored lines of a job, oldest first, as "time  stream  message". Reads a page at a time on demand. */
export function openJobLog(db: Db, job: { id: string; createdAt: Date }): Readable {
  return Readable.from(logPages(db, job))
}

async function* logPages(db: Db, job: { id: string; createdAt: Date }): AsyncGenerator<string> {
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

/** Leaves out progress events, and `done` events, which repeat the last status. */
function logLine({ kind, at, stream, message }: EventRow): string {
  if (kind === 'progress' || kind === 'done') return ''
  const text = kind === 'status' ? `the job is ${message}` : message
  return `${at.toISOString()}  ${stream ?? 'system'}  ${text}\n`
}
