import { keepOnDevice, readFromDevice } from '#web/api/device-copies.ts'
import { randomKey } from '#web/api/submission-keys.ts'

/** What this device remembers of importing (spec, section 4), under the key 'bulkImport'. */
type Memory = {
  /** Whether the next run only checks. */
  dryRun: boolean
  /** The template that was used last. */
  mappingId: string | null
  /** Runs that were begun and not ended, newest first. */
  runs: KeptRun[]
}
export type KeptRun = {
  /** File, mapping, defaults, mode and kind of run as one text: what makes two runs the same. */
  content: string
  key: string
  /** Known from the first answer of a real run on. */
  importId?: string
}

/** Older ones belong to files that nobody will choose again. */
const MOST_RUNS = 10

const fresh: Memory = { dryRun: true, mappingId: null, runs: [] }

export function readMemory(): Memory {
  return parseMemory(readFromDevice('bulkImport'))
}

/** Whatever is not of the expected kind counts as not remembered. */
export function parseMemory(stored: string | null): Memory {
  try {
    const record: unknown = JSON.parse(stored ?? 'null')
    if (typeof record !== 'object' || record === null) return fresh
    const { dryRun, mappingId, runs } = record as Record<string, unknown>
    return {
      dryRun: dryRun !== false,
      mappingId: typeof mappingId === 'string' ? mappingId : null,
      runs: Array.isArray(runs) ? runs.filter(isRun) : [],
    }
  } catch {
    return fresh
  }
}

function isRun(run: unknown): run is KeptRun {
  if (typeof run !== 'object' || run === null) return false
  const { content, key, importId } = run as Record<string, unknown>
  return (
    typeof content === 'string' &&
    typeof key === 'string' &&
    (importId === undefined || typeof importId === 'string')
  )
}

export function remember(changes: Partial<Memory>): void {
  keepOnDevice('bulkImport', { ...readMemory(), ...changes })
}

/** The run of this content that was begun before, after a reload too; else a new one, kept from now on. */
export function beginRun(content: string): KeptRun {
  const kept = readMemory().runs.find((run) => run.content === content)
  const run = kept ?? { content, key: `bulk_${randomKey()}` }
  keepRun(run)
  return run
}

export function keepRun(run: KeptRun): void {
  const others = readMemory().runs.filter(({ content }) => content !== run.content)
  remember({ runs: [run, ...others].slice(0, MOST_RUNS) })
}

/** It ended: the same content sent again is a new run. */
export function endRun({ key }: Pick<KeptRun, 'key'>): void {
  remember({ runs: readMemory().runs.filter((run) => run.key !== key) })
}
