import type { ScriptDefinition } from '#contract/scripts.ts'
import type { StagingRoot } from '#contract/staging.ts'

/** A staged file that a script is to read. */
export type StagedSource = { root: StagingRoot; path: string }

/** Why a script cannot be started, in the spec's words (section 5). The queues are undefined until they are known. */
export function startProblem(
  script: ScriptDefinition,
  queues: readonly string[] | undefined,
  source: StagedSource | undefined,
): string | undefined {
  if (queues !== undefined && !queues.includes(script.queue)) {
    return `Queue '${script.queue}' not available on server. Known queues: ${queues.join(', ')}`
  }
  if (script.source === 'staging' && (source?.path ?? '') === '') {
    return 'Select or load a staging file path first'
  }
  return undefined
}
