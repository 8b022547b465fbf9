import { centsOf, type ModelName, type Usage } from './language-model.ts'
import { NOTHING_SPENT } from './spent.ts'
import type { Spent } from './writer.ts'
import { WritingFailure } from './writing-failure.ts'

/**
 * What one job may cost unless it is given another cap: about 4,000 descriptions by gpt-4o or 30,000 by gpt-3.5-turbo. A
 * forgotten limit on a file of a million rows would otherwise cost thousands of dollars overnight.
 */
export const CENTS_A_JOB = 2_000

/** Counts what a job's calls cost and stops it before its cap. Calls under way count with the most they can cost. */
export class Budget {
  readonly #model: ModelName
  readonly #capCents: number
  #underWay = 0
  #spent: Spent

  constructor(model: ModelName, { capCents, before }: { capCents: number; before: Spent | undefined }) {
    this.#model = model
    this.#capCents = capCents
    this.#spent = before ?? NOTHING_SPENT
  }

  get spent(): Spent {
    return this.#spent
  }

  /** Sets aside what a call can cost at most. Settle it with what it did cost, also where it failed. */
  reserve(worst: Usage): (used: Usage | undefined) => void {
    const cents = centsOf(this.#model, worst)
    if (this.#spent.cents + this.#underWay + cents > this.#capCents) throw this.#capReached()
    this.#underWay += cents
    return (used) => {
      this.#underWay -= cents
      if (used !== undefined) this.#add(used)
    }
  }

  #add(used: Usage): void {
    const { calls, inputTokens, outputTokens, cents } = this.#spent
    this.#spent = {
      calls: calls + 1,
      inputTokens: inputTokens + used.inputTokens,
      outputTokens: outputTokens + used.outputTokens,
      cents: cents + centsOf(this.#model, used),
    }
  }

  #capReached(): WritingFailure {
    const [spent, cap] = [this.#spent.cents, this.#capCents].map((cents) => `$${(cents / 100).toFixed(2)}`)
    return new WritingFailure(
      `The job has reached its cap of ${cap} for the language model (${spent} spent); what is written is kept`,
      { endsJob: true, mayPass: false },
    )
  }
}
