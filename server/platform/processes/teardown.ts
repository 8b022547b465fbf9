type Step = () => Promise<unknown>

/** What must be undone at the end, last first. A step that comes when the end has begun is run at once. */
export class Teardown {
  readonly #steps: Step[] = []
  #ended = false

  async add(step: Step): Promise<void> {
    if (this.#ended) await step()
    else this.#steps.push(step)
  }

  /** One step's failure does not keep the others from running; the first is thrown at the end. */
  async run(): Promise<void> {
    this.#ended = true
    const failures: unknown[] = []
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      await step().catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }
}
