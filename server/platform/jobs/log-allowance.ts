import type { JobEvent } from './job-events.ts'

/** What one run may store of its log; what comes after fills neither the disk nor the eyes. */
export type Allowance = {
  readonly lines: number
  readonly bytes: number
  /** Of what was left out, the last lines are stored when the run ends: a failure is told at the end. */
  readonly tailLines: number
  readonly tailBytes: number
}

const ALLOWANCE: Allowance = { lines: 100_000, bytes: 20_000_000, tailLines: 200, tailBytes: 1_000_000 }

/** Decides which lines of a run are stored. */
export class LogAllowance {
  readonly #allowance: Allowance
  #lines = 0
  #bytes = 0
  #leftOut = 0
  #tail: { line: JobEvent; bytes: number }[] = []
  #tailBytes = 0

  constructor(allowance = ALLOWANCE) {
    this.#allowance = allowance
  }

  /** What is to be stored now because of this line: mostly the line itself. */
  take(line: JobEvent): JobEvent[] {
    const bytes = Buffer.byteLength(line.message)
    if (this.#leftOut > 0) {
      this.#leaveOut(line, bytes)
      return []
    }
    this.#lines += 1
    this.#bytes += bytes
    const { lines, bytes: most } = this.#allowance
    if (this.#lines <= lines && this.#bytes <= most) return [line]
    this.#leaveOut(line, bytes)
    const stored = (this.#lines - 1).toLocaleString('en-US')
    return [
      told(`This log is full after ${stored} lines. Further lines are counted, and the last of them kept.`),
    ]
  }

  /** What is to be stored when the run ends. */
  takeRest(): JobEvent[] {
    if (this.#leftOut === 0) return []
    const lost = this.#leftOut - this.#tail.length
    const rest = this.#tail.map(({ line }) => line)
    this.#tail = []
    if (lost === 0) return rest
    const count = lost === 1 ? '1 line was' : `${lost.toLocaleString('en-US')} lines were`
    return [told(`… ${count} left out`), ...rest]
  }

  #leaveOut(line: JobEvent, bytes: number): void {
    this.#leftOut += 1
    this.#tail.push({ line, bytes })
    this.#tailBytes += bytes
    const { tailLines, tailBytes } = this.#allowance
    while (this.#tail.length > tailLines || this.#tailBytes > tailBytes) {
      this.#tailBytes -= this.#tail.shift()?.bytes ?? 0
    }
  }
}

const told = (message: string): JobEvent => ({ kind: 'log', stream: 'system', message })
