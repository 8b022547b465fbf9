import { Readable } from 'node:stream'

export type ServerSentEvent = {
  /** A reconnecting client resumes after this id; events without one do not move that position. */
  id?: number
  event: string
  data: unknown
}

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Otherwise a proxy (nginx) would buffer events.
  'x-accel-buffering': 'no',
  // The connection is not reused, so a stopping server need not wait for it to become idle.
  connection: 'close',
}

/** A comment that keeps the connection alive through proxies. */
export const HEARTBEAT = ':\n\n'

/** Formats an event. JSON has no line breaks, so the data is one line. */
export function formatEvent({ id, event, data }: ServerSentEvent): string {
  const number = id === undefined ? '' : `id: ${id}\n`
  return `${number}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

const BUFFERED_BYTES = 64 * 1024

/**
 * Streams what the generator yields at the client's pace. `onClose` is called as soon as the client disconnects, even
 * while the generator is waiting (`Readable.from` would wait for it).
 */
export function eventStream(chunks: AsyncGenerator<string, void>, onClose: () => void): Readable {
  const pull = async (stream: Readable) => {
    try {
      const { value, done } = await chunks.next()
      if (!stream.destroyed) stream.push(done ? null : value)
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return new Readable({
    highWaterMark: BUFFERED_BYTES,
    read() {
      void pull(this)
    },
    destroy(error, done) {
      onClose()
      done(error)
    },
  })
}
