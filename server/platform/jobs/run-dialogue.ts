import { type Db, isDatabaseDown } from '#server/platform/database.ts'
import type { Log } from '#server/platform/log.ts'
import type { EventWriter } from './event-writer.ts'
import type { Beat, RunKey } from './job-claims.ts'
import type { NewQuestion } from './job-definition.ts'
import { takeInput } from './job-inputs.ts'
import { openQuestion, readAnswer } from './job-questions.ts'
import { outliveOutage } from './outlive-outage.ts'

export type DialogueOptions = {
  readonly control: Db
  readonly events: EventWriter
  readonly log: Log
  readonly signal: AbortSignal
  /** Aborted when a database that is away is not waited for any more. */
  readonly ending: AbortSignal
  /** Called when the run has waited for so long that it shall give its place back; undefined where it may not. */
  readonly park: (() => void) | undefined
  readonly parkMs: number
}

/**
 * What a run is told while it runs: answers to its questions and lines of input. The beats of its worker say that there
 * is something (a notice brings them at once); what it is stands in tables, which tell it once.
 */
export class RunDialogue {
  readonly #run: RunKey
  readonly #options: DialogueOptions
  #lastAsked: Promise<unknown> = Promise.resolve()
  #waiting: { key: string; resolve: (answer: string) => void } | undefined
  #listener: ((line: string) => void) | undefined
  #taking: Promise<void> | undefined
  #takeAgain = false

  constructor(run: RunKey, options: DialogueOptions) {
    this.#run = run
    this.#options = options
  }

  get isWaiting(): boolean {
    return this.#waiting !== undefined
  }

  /** Questions that are asked at one time are put one after the other. */
  ask(question: NewQuestion): Promise<string> {
    const answer = this.#lastAsked.then(() => this.#ask(question))
    this.#lastAsked = answer.catch(() => undefined)
    return answer
  }

  onInput(listener: (line: string) => void): void {
    this.#listener = listener
    this.#takeInput()
  }

  hear({ isAsking, hasInput }: Pick<Beat, 'isAsking' | 'hasInput'>): void {
    if (this.#waiting && !isAsking) void this.#readAnswer(this.#waiting)
    if (hasInput) this.#takeInput()
  }

  async #ask(question: NewQuestion): Promise<string> {
    const { control, events, signal, ending } = this.#options
    signal.throwIfAborted()
    // A person reads first what led to the question.
    await events.flush()
    const known = await outliveOutage(() => openQuestion(control, this.#run, question), ending)
    return known ?? this.#wait(question.key)
  }

  async #wait(key: string): Promise<string> {
    const { signal, park, parkMs } = this.#options
    const answered = Promise.withResolvers<string>()
    const giveUp = () => answered.reject(signal.reason)
    signal.addEventListener('abort', giveUp)
    const timer = park && setTimeout(park, parkMs)
    this.#waiting = { key, resolve: answered.resolve }
    if (signal.aborted) giveUp()
    try {
      return await answered.promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      this.#waiting = undefined
    }
  }

  /** A beat that began before the question was put knows nothing of it: only the stored answer counts. */
  async #readAnswer({ key, resolve }: { key: string; resolve: (answer: string) => void }): Promise<void> {
    try {
      const answer = await readAnswer(this.#options.control, this.#run, key)
      if (answer !== undefined) resolve(answer)
    } catch (error) {
      this.#tell(error)
    }
  }

  #takeInput(): void {
    const listener = this.#listener
    this.#takeAgain = this.#taking !== undefined
    if (!listener || this.#taking || this.#options.signal.aborted) return
    this.#taking = this.#handInputTo(listener)
      .catch((error: unknown) => this.#tell(error))
      .finally(() => {
        this.#taking = undefined
        if (this.#takeAgain) this.#takeInput()
      })
  }

  async #handInputTo(listener: (line: string) => void): Promise<void> {
    for (;;) {
      const lines = await takeInput(this.#options.control, this.#run)
      if (lines.length === 0) return
      for (const line of lines) listener(line)
    }
  }

  /** The next beat tries again. */
  #tell(error: unknown): void {
    if (!isDatabaseDown(error))
      this.#options.log.error({ err: error }, 'a run could not be told what it was sent')
  }
}
