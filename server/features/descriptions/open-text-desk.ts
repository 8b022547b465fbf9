import { findTextProblem } from '#server/features/listings/text-check.ts'
import { openWriter } from '#server/features/writing/open-writer.ts'
import { describePart, type RecordFields, readPartFacts } from '#server/features/writing/part-text.ts'
import type { Written } from '#server/features/writing/text-check.ts'
import { type Spent, WritingFailure } from '#server/features/writing/writer.ts'
import type { ScriptRun } from '#server/platform/scripts/script-program.ts'
import type { TextOutcome } from './text-outcome.ts'
import type { TextTask } from './text-task.ts'

export type TextDesk = {
  /** Writes the text of a record if it is wanted. Nothing it throws is the record's fault. */
  write(record: RecordToWrite): Promise<TextOutcome>
  spent(): Spent
}

export type RecordToWrite = {
  readonly fields: RecordFields
  /** The text that the record has. */
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
    // The seller's words are the description; no model writes over them or beside them.
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
  // Also what goes unchecked, and what a template repeats, must be a text that a listing may have.
  const problem = findTextProblem('ecommerce', { [field]: text }, { mode: 'edit', now: new Date() })
  return problem ? { kind: 'refused', why: problem.error } : { kind: 'written', text }
}
