import { type FromScript, type ScriptStart, toScript } from './script-messages.ts'

// A bar that moves ten times a second is alive; the worker stores two of them.
const PROGRESS_MS = 100

type Progress = Extract<FromScript, { type: 'progress' }>
type Question = Omit<Extract<FromScript, { type: 'ask' }>, 'type' | 'id'>

/** The script's end of the channel to its worker. */
export class ScriptLink {
  readonly started: Promise<ScriptStart>
  readonly #answers = new Map<number, (text: string) => void>()
  #asked = 0
  #progress: Progress | undefined
  #progressAt = Number.NEGATIVE_INFINITY

  constructor() {
    const started = Promise.withResolvers<ScriptStart>()
    this.started = started.promise
    process.on('message', (message) => {
      const told = toScript.parse(message)
      if (told.type === 'start') started.resolve(told)
      else this.#answer(told)
    })
    void this.#send({ type: 'ready' })
  }

  ask(question: Question): Promise<string> {
    this.#asked += 1
    const id = this.#asked
    return new Promise((resolve) => {
      this.#answers.set(id, resolve)
      void this.#send({ type: 'ask', id, ...question })
    })
  }

  progress(progress: Omit<Progress, 'type'>): void {
    this.#progress = { type: 'progress', ...progress }
    if (performance.now() - this.#progressAt >= PROGRESS_MS) this.#sendProgress()
  }

  /** The last words; they have left the process when this returns. */
  async end(last: Extract<FromScript, { type: 'result' | 'error' }>): Promise<void> {
    this.#sendProgress()
    await this.#send(last)
  }

  #answer({ id, text }: { id: number; text: string }): void {
    this.#answers.get(id)?.(text)
    this.#answers.delete(id)
  }

  #sendProgress(): void {
    if (!this.#progress) return
    void this.#send(this.#progress)
    this.#progress = undefined
    this.#progressAt = performance.now()
  }

  /** Resolves also where nobody hears it any more: the process is ended then, not by us. */
  #send(message: FromScript): Promise<void> {
    return new Promise((resolve) => {
      if (!process.send) throw new Error('a script is started by a worker')
      process.send(message, undefined, {}, () => resolve())
    })
  }
}
