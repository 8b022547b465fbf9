import { z } from 'zod'
import type { FlagsOf } from '#contract/admin/scripts.ts'
import { findTextProblem } from '#server/features/market/listings/text-check.ts'
import type { Written } from '#server/features/market/writing/fact-check.ts'
import { openWriter } from '#server/features/market/writing/open-writer.ts'
import { describePart, type RecordFields, readPartFacts } from '#server/features/market/writing/part-text.ts'
import { rememberScriptProse } from '#server/features/market/writing/script-prose.ts'
import {
  builtInWriter,
  type Spent,
  type Writer,
  WritingFailure,
} from '#server/features/market/writing/writer.ts'
import type { RangeFlags, ScriptRun } from '#server/platform/scripts/script-program.ts'
import type { TextOutcome } from './text-outcomes.ts'

/** The settings of a script that writes a text for each record. */
export type TextTask = {
  readonly script: 'h1-optimizer' | 'description-optimizer'
  readonly field: 'h1' | 'partdescription'
  readonly range: RangeFlags
  readonly dryRun: boolean
  readonly concurrent: number
  /** Undefined: the configured model. */
  readonly model: string | undefined
  readonly skipValidation: boolean
  /** Whether to stop at the first rejected record. */
  readonly stopsAtRefusal: boolean
  /** Whether a record with this text gets a new one. */
  readonly isWanted: (text: string) => boolean
}

// Above this, providers reject more calls than they answer.
const MAX_CONCURRENT = 50
// A note of a few words ("good cond", "tested OK") is kept, with the record's facts added below.
const VERY_SHORT = 50

const atOnce = (asked: number | undefined, byDefault: number) => Math.min(asked ?? byDefault, MAX_CONCURRENT)

export function headingTask(flags: FlagsOf<'h1-optimizer'>): TextTask {
  return {
    script: 'h1-optimizer',
    field: 'h1',
    range: flags,
    dryRun: flags.dryRun,
    concurrent: atOnce(flags.concurrent, 5),
    model: undefined,
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
    model: flags.model,
    skipValidation: flags.skipValidation,
    stopsAtRefusal: !flags.continueOnError,
    isWanted: (text) => flags.forceOverride || text.trim().length < VERY_SHORT,
  }
}

export type TextDesk = {
  /** Writes the text of a record if it needs one. Throws only errors that are not the record's fault. */
  write(record: RecordToWrite): Promise<TextOutcome>
  spent(): Spent
}

type RecordToWrite = {
  readonly fields: RecordFields
  /** The record's current text. */
  readonly before: string
}

export type DeskRun = Pick<ScriptRun<unknown>, 'jobId' | 'db' | 'signal' | 'openai' | 'askFor'>

/** Opens the writer of a job's texts. */
export async function openTextDesk(run: DeskRun, task: TextTask): Promise<TextDesk> {
  const { jobId, db, signal, openai } = run
  const { model, skipValidation } = task
  const writer = await openWriter(openai, { db, jobId, signal, model, skipValidation })
  const choice = new WriterChoice(writer, run.askFor)
  const written = async (by: Writer, { fields, before }: RecordToWrite): Promise<Written<string>> => {
    const facts = readPartFacts(fields)
    if (facts.name === '') return { ok: false, problems: [{ claim: '', why: 'the record has no part name' }] }
    // A description written by the seller is kept; no model replaces or extends it.
    if (task.field === 'partdescription' && before.trim() !== '') return describePart(facts, before)
    if (task.field === 'h1') return choice.counted(by.writeHeading(facts))
    const description = await choice.counted(by.writeDescription(facts))
    // Before it is saved anywhere: it must not outlive the facts it was made from.
    if (description.ok && by !== builtInWriter) await rememberScriptProse(db, description.text)
    return description
  }
  const write = async (record: RecordToWrite): Promise<TextOutcome> => {
    const by = choice.writer
    try {
      return outcomeOf(await written(by, record), record.before, task)
    } catch (error) {
      if (!(error instanceof WritingFailure)) throw error
      // The first rejected record ends this job anyway, so there is no question to ask.
      const failed = { kind: 'failed', why: error.message, endsJob: error.failure.endsJob } as const
      if (failed.endsJob || task.stopsAtRefusal) return failed
      if (by !== choice.writer) return write(record)
      const next = await choice.afterFailure(error)
      return next === 'template' ? write(record) : { ...failed, endsJob: next === 'stop' }
    }
  }
  return {
    spent: () => writer.spent(),
    write: async (record) => (task.isWanted(record.before) ? write(record) : { kind: 'unchanged' }),
  }
}

// A provider may fail on one record, but this many failures in a row are not the records' fault.
const MAX_FAILURES_IN_A_ROW = 5

const rest = z.object({
  write: z
    .enum(['with the template', 'not at all'], 'Choose how to continue')
    .describe('Write the remaining texts'),
})

/** Uses a job's writer until it keeps failing; then a person decides whether the built-in template writes the rest. */
class WriterChoice {
  writer: Writer
  readonly #askFor: DeskRun['askFor']
  #failuresInARow = 0
  /** Calls that fail while the question is open also wait for its answer. */
  #answer: Promise<'template' | 'stop'> | undefined

  constructor(writer: Writer, askFor: DeskRun['askFor']) {
    this.writer = writer
    this.#askFor = askFor
  }

  async counted<T>(writing: Promise<T>): Promise<T> {
    const text = await writing
    this.#failuresInARow = 0
    return text
  }

  async afterFailure({ message }: WritingFailure): Promise<'next' | 'template' | 'stop'> {
    this.#failuresInARow += 1
    if (this.#failuresInARow < MAX_FAILURES_IN_A_ROW) return 'next'
    this.#answer ??= this.#ask(message)
    return this.#answer
  }

  async #ask(reason: string): Promise<'template' | 'stop'> {
    const question = `The language model failed ${MAX_FAILURES_IN_A_ROW} times in a row. ${reason}. How should the remaining texts be written?`
    const { write } = await this.#askFor('rest-of-texts', question, rest)
    if (write === 'not at all') return 'stop'
    this.writer = builtInWriter
    return 'template'
  }
}

function outcomeOf(written: Written<string>, before: string, { field }: TextTask): TextOutcome {
  if (!written.ok) {
    const why = written.problems.map(({ claim, why }) => (claim ? `“${claim}” ${why}` : why)).join('; ')
    return { kind: 'refused', why }
  }
  const { text } = written
  if (text === before) return { kind: 'unchanged' }
  // Unchecked and template texts must also follow the rules for listings.
  const problem = findTextProblem('ecommerce', { [field]: text }, { mode: 'edit', now: new Date() })
  return problem ? { kind: 'refused', why: problem.error } : { kind: 'written', text }
}
