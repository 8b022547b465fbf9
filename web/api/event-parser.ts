/** One server-sent event; `id` is that of the last event that had one, as the standard says. */
export type SentEvent = { id: string; event: string; data: string; hasId: boolean }

/**
 * Reads server-sent events from text that comes in pieces of any size. An event counts once the empty line behind it has
 * arrived; what a broken connection leaves half said is dropped with its parser.
 */
export class EventParser {
  #rest = ''
  #afterReturn = false
  #id = ''
  #hasId = false
  #event = ''
  #data: string[] = []
  #done: SentEvent[] = []

  /** @param lastEventId where an earlier connection ended */
  constructor(lastEventId = '') {
    this.#id = lastEventId
  }

  /** The events that this piece completes. */
  push(piece: string): SentEvent[] {
    // The second half of a line's end that was cut in two.
    const text = this.#afterReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    if (piece !== '') this.#afterReturn = piece.endsWith('\r')
    const lines = text.split(/\r\n|\n|\r/)
    lines[0] = this.#rest + lines[0]
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#take(line)
    const done = this.#done
    this.#done = []
    return done
  }

  #take(line: string): void {
    if (line === '') {
      this.#dispatch()
      return
    }
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#event = value
    else if (field === 'id' && !value.includes('\0')) {
      this.#id = value
      this.#hasId = true
    }
  }

  #dispatch(): void {
    if (this.#data.length > 0) {
      const event = this.#event || 'message'
      this.#done.push({ id: this.#id, event, data: this.#data.join('\n'), hasId: this.#hasId })
    }
    this.#event = ''
    this.#data = []
    this.#hasId = false
  }
}
