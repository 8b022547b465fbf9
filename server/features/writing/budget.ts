import { centsOf, type ModelName, type Usage } from './language-model.ts'
import { type LanguageUse, minus, NO_USE, plus, type UseLedger } from './language-use.ts'
import type { Spent } from './writer.ts'
import { WritingFailure } from './writing-failure.ts'

/**
 * What one job may cost unless it is given another cap: about 4,000 descriptions by gpt-4o or 30,000 by gpt-3.5-turbo. A
 * forgotten limit on a file of a million rows would otherwise cost thousands of dollars overnight.
 */
export const CENTS_A_JOB = 2_000

/**
 * Counts what a job's calls cost and stops it before its cap. A call counts with the most it can cost from before it is
 * made until it is known what it did cost, in the ledger as well: whoever is killed meanwhile has paid for it.
 */
export class Budget {
  readonly #model: ModelName
  readonly #capCents: number
  readonly #ledger: UseLedger | undefined
  #underWay = NO_USE
  #used: LanguageUse

  constructor(model: ModelName, { capCents, ledger }: { capCents: number; ledger: UseLedger | undefined }) {
    this.#model = model
    this.#capCents = capCents
    this.#ledger = ledger
    this.#used = ledger?.before ?? NO_USE
  }

  get spent(): Spent {
    return { ...this.#used, cents: centsOf(this.#model, this.#used) }
  }

  /**
   * Sets aside what a call can cost at most. Settle it with what it did cost, also where it failed.
   * @throws WritingFailure where the cap would be passed
   */
  async reserve(worst: Usage): Promise<(used: Usage | undefined) => Promise<void>> {
    const set = { calls: 1, ...worst }
    const most = plus(plus(this.#used, this.#underWay), set)
    if (centsOf(this.#model, most) > this.#capCents) throw this.#capReached()
    this.#underWay = plus(this.#underWay, set)
    await this.#ledger?.add(set)
    return async (used) => {
      const real = used === undefined ? NO_USE : { calls: 1, ...used }
      this.#underWay = minus(this.#underWay, set)
      this.#used = plus(this.#used, real)
      await this.#ledger?.add(minus(real, set))
    }
  }

  #capReached(): WritingFailure {
    const [spent, cap] = [this.spent.cents, this.#capCents].map((cents) => `$${(cents / 100).toFixed(2)}`)
    return new WritingFailure(
      `The job has reached its cap of ${cap} for the language model (${spent} spent); what is written is kept`,
      { endsJob: true, mayPass: false },
    )
  }
}
