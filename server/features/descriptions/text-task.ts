import type { FlagsOf } from '#contract/scripts.ts'
import type { ModelName } from '#server/features/writing/openai-client.ts'
import type { RangeFlags } from '#server/platform/scripts/script-program.ts'

/** What a script that writes a text for each record was asked to do. */
export type TextTask = {
  readonly script: 'h1-optimizer' | 'description-optimizer'
  readonly field: 'h1' | 'partdescription'
  readonly range: RangeFlags
  readonly dryRun: boolean
  readonly concurrent: number
  readonly model: ModelName
  readonly skipValidation: boolean
  /** Ends with the first record that is refused. */
  readonly stopsAtRefusal: boolean
  /** Whether a record with this text gets another one. */
  readonly isWanted: (text: string) => boolean
}

// Beyond it providers refuse calls faster than they answer them.
const MOST_CONCURRENT = 50
// A note of a few words ("good cond", "tested OK") stays, and gets the record's facts below it.
const VERY_SHORT = 50

const atOnce = (asked: number | undefined, otherwise: number) => Math.min(asked ?? otherwise, MOST_CONCURRENT)

export function headingTask(flags: FlagsOf<'h1-optimizer'>): TextTask {
  return {
    script: 'h1-optimizer',
    field: 'h1',
    range: flags,
    dryRun: flags.dryRun,
    concurrent: atOnce(flags.concurrent, 5),
    model: 'gpt-4o',
    skipValidation: false,
    stopsAtRefusal: false,
    isWanted: (text) => flags.forceReoptimize || text.trim() === '',
  }
}

export function descriptionTask(flags: FlagsOf<'description-optimizer'>): TextTask {
  return {
    script: 'description-optimizer',
    field: 'partdescription',
    range: flags,
    dryRun: flags.dryRun,
    concurrent: atOnce(flags.concurrent, 4),
    model: flags.model ?? 'gpt-4o',
    skipValidation: flags.skipValidation,
    stopsAtRefusal: !flags.continueOnError,
    isWanted: (text) => flags.forceOverride || text.trim().length < VERY_SHORT,
  }
}
