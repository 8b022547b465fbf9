import type { FlagsOf } from '#contract/scripts.ts'
import { findTextProblem } from '#server/features/listings/text-check.ts'
import { openWriter } from '#server/features/writing/open-writer.ts'
import type { ModelName } from '#server/features/writing/openai-client.ts'
import { describePart, type RecordFields, readPartFacts } from '#server/features/writing/part-text.ts'
import type { Written } from '#server/features/writing/text-check.ts'
import { type Spent, WritingFailure } from '#server/features/writing/writer.ts'
import type { RangeFlags, ScriptRun } from '#server/platform/scripts/script-program.ts'
import type { TextOutcome } from './text-outcomes.ts'

/** The settings of a script that writes a text for each record. */
export type TextTask = {
  readonly script: 'h1-optimizer' | 'description-optimizer'
  readonly field: 'h1' | 'partdescription'
  readonly range: RangeFlags
  readonly dryRun: boolean
  readonly concurrent: number
  readonly model: ModelName
  readonly skipValidation: boolean
  /** Stop at the first record that is refused. */
  readonly stopsAtRefusal: boolean
  /** Whether a record with this text gets another one. */
  readonly isWanted: (text: string) => boolean
}

// Beyond this, providers refuse more calls than they answer.
const MAX_CONCURRENT = 50
// A note of a few words ("good cond", "tested OK") stays, and gets the record's facts below it.
const VERY_SHORT = 50

const atOnce = (asked: number | undefined, byDefault: number) => Math.min(asked ?? byDefault, MAX_CONCURRENT)

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

export type TextDesk = {
  /** Writes the text of a record if it needs one. An error it throws is never the record's fault. */
  write(record: RecordToWrite): Promise<TextOutcome>
  spent(): Spent
}

type RecordToWrite = {
  readonly fields: RecordFields
  /** The record's current text. */
  readonly before: string
}

/** The writer of a job, for one text of each record. */
export async function openTextDesk(
  { jobId, db, signal, openai }: Pick<ScriptRun<unknown>, 'jobId' | 'db' | 'signal' | 'openai'>,
  task: TextTask,
): Promise<TextDesk> {
  const { model, skipValidation } = task
  const writer = await openWriter(openai, { db, jobId, signal, model, skipValidation })
  const written = async ({ fields, before }: RecordToWrite): Promise<Written<string>> => {
    const facts = readPartFacts(fields)
    if (facts.name === '') return { ok: false, problems: [{ claim: '', why: 'the record has no part name' }] }
    if (task.field === 'h1') return writer.writeHeading(facts)
    // The seller's own words are the description; no model replaces or extends them.
    return before.trim() === '' ? writer.writeDescription(facts) : describePart(facts, before)
  }
  return {
    spent: () => writer.spent(),
    async write(record) {
      if (!task.isWanted(record.before)) return { kind: 'unchanged' }
      try {
        return outcomeOf(await written(record), record.before, task)
      } catch (error) {
        if (!(error instanceof WritingFailure)) throw error
        return { kind: 'failed', why: error.message, endsJob: error.failure.endsJob }
      }
    },
  }
}

function outcomeOf(written: Written<string>, before: string, { field }: TextTask): TextOutcome {
  if (!written.ok) {
    const why = written.problems.map(({ claim, why }) => (claim ? `“${claim}” ${why}` : why)).join('; ')
    return { kind: 'refused', why }
  }
  const { text } = written
  if (text === before) return { kind: 'unchanged' }
  // Unchecked and template texts, too, must follow the rules for listings.
  const problem = findTextProblem('ecommerce', { [field]: text }, { mode: 'edit', now: new Date() })
  return problem ? { kind: 'refused', why: problem.error } : { kind: 'written', text }
}
