import { z } from 'zod'
import { Budget, CENTS_A_JOB } from './budget.ts'
import { type Checking, checkedLanding, checkedText } from './checked-text.ts'
import type {
  Completion,
  CompletionRequest,
  LanguageModel,
  Message,
  ModelName,
  Usage,
} from './language-model.ts'
import { worstUsage } from './language-model.ts'
import type { UseLedger } from './language-use.ts'
import { checkProposal } from './name-proposal.ts'
import {
  anchorData,
  dataBlock,
  landingData,
  nameData,
  partData,
  refusalText,
  type Task,
  tasks,
} from './prompts.ts'
import { supportOfAnchor, supportOfLanding, supportOfPart } from './support.ts'
import type { TextKind } from './text-shape.ts'
import { tryAgain, WRITING_TIMES, type WritingTimes } from './try-again.ts'
import type { Problem, Writer, Written } from './writer.ts'
import { WritingFailure } from './writing-failure.ts'

export type OpenAiWriting = {
  readonly model: ModelName
  readonly signal: AbortSignal
  readonly checking: Checking
  readonly capCents?: number | undefined
  /** Where what the job uses is kept, and what earlier runs of it used. */
  readonly ledger?: UseLedger | undefined
  readonly times?: WritingTimes | undefined
}

/** Writes with a language model; whatever it writes is checked, and what is refused is written once more. */
export function openAiWriter(languageModel: LanguageModel, writing: OpenAiWriting): Writer {
  const budget = new Budget(writing.model, {
    capCents: writing.capCents ?? CENTS_A_JOB,
    ledger: writing.ledger,
  })
  const dialogue: Dialogue = { languageModel, writing, budget }
  const { checking } = writing
  return {
    name: 'openai',
    writeHeading: (facts) => {
      const ground = { support: supportOfPart(facts), kind: 'heading' as const }
      return write(dialogue, assignment(tasks.heading, partData(facts), textCheck(ground, checking)))
    },
    writeDescription: (facts) => {
      const ground = { support: supportOfPart(facts), kind: 'description' as const }
      return write(dialogue, assignment(tasks.description, partData(facts), textCheck(ground, checking)))
    },
    writeLanding: (facts) => {
      const support = supportOfLanding(facts)
      const check = (answer: unknown) => checkedLanding(landingAnswer.parse(answer), support, checking)
      return write(dialogue, assignment(tasks.landing, landingData(facts), check))
    },
    writeAnchor: (facts) => {
      const ground = { support: supportOfAnchor(facts), kind: 'anchor' as const }
      return write(dialogue, assignment(tasks.anchor, anchorData(facts), textCheck(ground, checking)))
    },
    proposeName: (question) => {
      const check = (answer: unknown) => checkProposal(nameAnswer.parse(answer).name, question)
      return write(dialogue, assignment(tasks.name, nameData(question), check))
    },
    spent: () => budget.spent,
  }
}

// Dashes that models like and readers cannot tell from a hyphen; everything else foreign is refused.
const tidy = (text: string) =>
  text
    .normalize('NFC')
    .replaceAll(/[\u2010-\u2012]/g, '-')
    .replaceAll('\u00a0', ' ')
    .trim()
const text = z.string().max(10_000).transform(tidy)
const textAnswer = z.strictObject({ text })
const landingAnswer = z.strictObject({ title: text, metaDescription: text, intro: text })
const nameAnswer = z.strictObject({ name: text })

const textCheck =
  (ground: Parameters<typeof checkedText>[1] & { kind: TextKind }, checking: Checking) => (answer: unknown) =>
    checkedText(textAnswer.parse(answer).text, ground, checking)

type Dialogue = {
  readonly languageModel: LanguageModel
  readonly writing: OpenAiWriting
  readonly budget: Budget
}

type Assignment<T> = {
  readonly task: Task
  readonly data: string
  readonly check: (answer: unknown) => Written<T>
}

const assignment = <T>(of: Task, data: object, check: (answer: unknown) => Written<T>): Assignment<T> => ({
  task: of,
  data: dataBlock(data),
  check,
})

/** Once, and once more with the reasons where it was refused; then the reasons are the answer. */
async function write<T>(dialogue: Dialogue, { task, data, check }: Assignment<T>): Promise<Written<T>> {
  const messages: Message[] = [
    { role: 'system', content: task.system },
    { role: 'user', content: data },
  ]
  const seed = seedOf(data)
  const first = await ask(dialogue, { task, messages, seed })
  if (first.ended === 'refused') return refusedByModel(first)
  const written = judge(first, check)
  if (written.ok) return written
  messages.push(
    { role: 'assistant', content: first.text },
    { role: 'user', content: refusalText(written.problems) },
  )
  const second = await ask(dialogue, { task, messages, seed })
  return second.ended === 'refused' ? refusedByModel(second) : judge(second, check)
}

const MOST_QUOTED = 200

const refusedByModel = ({ text: words }: Completion): Written<never> => ({
  ok: false,
  problems: [
    { claim: words.slice(0, MOST_QUOTED), why: 'is what the language model answered instead of a text' },
  ],
})

function judge<T>({ text: answered, ended }: Completion, check: (answer: unknown) => Written<T>): Written<T> {
  if (ended === 'cut-off') return malformed(answered, 'is longer than was asked for and was cut off')
  try {
    return check(JSON.parse(answered))
  } catch (error) {
    if (error instanceof SyntaxError) return malformed(answered, 'is no JSON')
    if (error instanceof z.ZodError) return malformed(answered, 'has not the fields that were asked for')
    throw error
  }
}

function malformed(answered: string, why: string): Written<never> {
  const problem: Problem = { claim: answered.slice(0, MOST_QUOTED), why }
  return { ok: false, problems: [problem] }
}

type Question = { readonly task: Task; readonly messages: readonly Message[]; readonly seed: number }

async function ask(dialogue: Dialogue, { task, messages, seed }: Question): Promise<Completion> {
  const { model, signal, times = WRITING_TIMES } = dialogue.writing
  const request: CompletionRequest = {
    model,
    messages: [...messages],
    fields: task.fields,
    mostTokens: task.mostTokens,
    seed,
  }
  return tryAgain((timeoutMs) => countedCall(dialogue, request, timeoutMs), { times, signal })
}

/** An answer with a status other than good is not charged; where no answer came, it may have been. */
async function countedCall(
  dialogue: Dialogue,
  request: CompletionRequest,
  timeoutMs: number,
): Promise<Completion> {
  const worst = worstUsage(request)
  const settle = await dialogue.budget.reserve(worst)
  let used: Usage | undefined = worst
  try {
    const completion = await dialogue.languageModel.complete(request, {
      timeoutMs,
      signal: dialogue.writing.signal,
    })
    used = completion.usage ?? worst
    return completion
  } catch (error) {
    if (error instanceof WritingFailure && error.status !== undefined) used = undefined
    throw error
  } finally {
    await settle(used)
  }
}

/** FNV-1a of the data, positive as the provider wants it. */
function seedOf(data: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < data.length; at += 1) value = Math.imul(value ^ data.charCodeAt(at), 0x01000193)
  return value & 0x7fffffff
}
