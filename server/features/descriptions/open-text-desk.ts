import { findTextProblem } from '#server/features/listings/text-check.ts'
import { openUseLedger } from '#server/features/writing/open-use-ledger.ts'
import { openWriter } from '#server/features/writing/open-writer.ts'
import { type PartFacts, type RecordFields, readPartFacts } from '#server/features/writing/part-facts.ts'
import type { Problem, Spent, Written } from '#server/features/writing/writer.ts'
import { WritingFailure } from '#server/features/writing/writing-failure.ts'
import { loadWritingNames } from '#server/features/writing/writing-name-queries.ts'
import type { ScriptRun } from '#server/platform/scripts/script-program.ts'
import type { TextOutcome } from './text-outcome.ts'
import type { TextTask } from './text-task.ts'

export type TextDesk = {
  /** Writes the text of a record where it is wanted. Nothing it throws is the record's fault. */
  write(record: RecordToWrite): Promise<TextOutcome>
  spent(): Spent
}

export type RecordToWrite = {
  /** The same for the same record, whenever it is written. */
  readonly identity: string
  readonly fields: RecordFields
  /** What the record says now. */
  readonly before: string
}

/** The writer of a job with all that it needs to know. */
export async function openTextDesk(
  { jobId, db, signal, openai }: Pick<ScriptRun<unknown>, 'jobId' | 'db' | 'signal' | 'openai'>,
  task: TextTask,
): Promise<TextDesk> {
  const { model, skipValidation } = task
  const { known, groupOf } = await loadWritingNames(db)
  const ledger = await openUseLedger(db, jobId)
  const writer = await openWriter(openai, { model, signal, ledger, checking: { known, skipValidation } })
  const factsOf = ({ identity, fields }: RecordToWrite) => {
    const { partcategory } = fields
    const group = typeof partcategory === 'string' ? groupOf(partcategory) : undefined
    return readPartFacts(identity, fields, group)
  }
  const written = (facts: PartFacts) =>
    task.field === 'h1' ? writer.writeHeading(facts) : writer.writeDescription(facts)
  return {
    spent: () => writer.spent(),
    async write(record) {
      const { before } = record
      if (!task.isWanted(before)) return { kind: 'unchanged' }
      const facts = factsOf(record)
      if (facts.name === '') return { kind: 'refused', why: 'the record has no part name' }
      try {
        return outcomeOf(await written(facts), before, task)
      } catch (error) {
        if (!(error instanceof WritingFailure)) throw error
        return { kind: 'failed', why: error.message, endsJob: error.endsJob }
      }
    },
  }
}

function outcomeOf(answer: Written<string>, before: string, task: TextTask): TextOutcome {
  if (!answer.ok) return { kind: 'refused', why: problemsOf(answer.problems) }
  if (answer.text === before) return { kind: 'unchanged' }
  const why = task.skipValidation ? brokenRule(task, answer.text) : undefined
  return why === undefined ? { kind: 'written', text: answer.text } : { kind: 'refused', why }
}

const problemsOf = (problems: readonly Problem[]) =>
  problems.map(({ claim, why }) => `“${claim}” ${why}`).join('; ')

/** What goes unchecked must be a text that a listing may have all the same. */
function brokenRule({ field }: TextTask, text: string): string | undefined {
  return findTextProblem('ecommerce', { [field]: text }, { mode: 'edit', now: new Date() })?.error
}
