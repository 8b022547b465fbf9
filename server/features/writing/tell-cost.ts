import type { Spent } from './writer.ts'

export type Costing = {
  readonly signal: AbortSignal
  readonly spent: () => Spent
  readonly tell: (line: string) => void
}

/** Does a script's work; where it is asked to end before, says what was paid for until then. */
export async function tellCost<T>({ signal, spent, tell }: Costing, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted && spent().calls > 0) tell(`Ended early: cost ${costInWords(spent())} until now`)
    throw error
  }
}

export function costInWords({ cents }: Pick<Spent, 'cents'>): string {
  const rounded = Math.round(cents * 100) / 100
  return `${rounded} ${rounded === 1 ? 'cent' : 'cents'}`
}
