// Results that wait for a slower one before them, for each that may run.
const WAITING_FOR_EACH = 4

/**
 * Works on items, `concurrent` at one time, and hands out the results in the items' order. A slow item does not hold up
 * those behind it until a few of their results wait; an endless source is read no further than that. The first failure is
 * thrown when its turn comes, after whatever still runs has ended; nothing new is started then.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  concurrent: number,
  work: (item: Item, index: number) => Promise<Result>,
): AsyncGenerator<Result> {
  const window = new Window<Result>(concurrent)
  let index = 0
  try {
    for await (const item of items) {
      window.add(work(item, index))
      index += 1
      yield* window.whatIsReady()
    }
    yield* window.rest()
  } finally {
    await window.idle()
  }
}

/** The results that are being made or wait for their turn. */
class Window<Result> {
  readonly #concurrent: number
  readonly #running = new Set<Promise<void>>()
  #results: { readonly outcome: Promise<Result>; isOver: boolean }[] = []

  constructor(concurrent: number) {
    this.#concurrent = concurrent
  }

  add(outcome: Promise<Result>): void {
    const result = { outcome, isOver: false }
    const end = () => {
      result.isOver = true
      this.#running.delete(over)
    }
    const over: Promise<void> = outcome.then(end, end)
    this.#running.add(over)
    this.#results.push(result)
  }

  /** Those at the front that are over; waits while there is no room for another. */
  async *whatIsReady(): AsyncGenerator<Result> {
    for (;;) {
      const [first] = this.#results
      if (first?.isOver) {
        this.#results.shift()
        yield await first.outcome
      } else if (this.#isFull()) await Promise.race(this.#running)
      else return
    }
  }

  async *rest(): AsyncGenerator<Result> {
    for (const { outcome } of this.#results) yield await outcome
  }

  async idle(): Promise<void> {
    await Promise.all(this.#running)
  }

  #isFull(): boolean {
    return (
      this.#running.size >= this.#concurrent || this.#results.length >= this.#concurrent * WAITING_FOR_EACH
    )
  }
}
