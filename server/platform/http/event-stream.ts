import { Readable } from 'node:stream'

export type ServerSentEvent = {
  /** Where a reader that comes back goes on; an event without one changes nothing there. */
  id?: number
  event: string
  data: unknown
}

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A proxy in front (nginx) would gather events until its buffer is full.
  'x-accel-buffering': 'no',
  // No other call will use the connection, and a server that stops does not wait for it to be idle long enough.
  connection: 'close',
}

/** A comment: shows both sides, and whatever stands between them, that the connection lives. */
export const HEARTBEAT = ':\n\n'

/** One event as it goes over the wire; JSON has no line breaks, so its data is one line. */
export function formatEvent({ id, event, data }: ServerSentEvent): string {
  const number = id === undefined ? '' : `id: ${id}\n`
  return `${number}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

// Of what is ready and not sent yet.
const BUFFERED_BYTES = 64 * 1024

/**
 * A stream of what the generator yields, at the pace of whoever reads it. `onClose` is called as soon as the reader is
 * gone, even while the generator waits for something (Node's own `Readable.from` would wait with it).
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
