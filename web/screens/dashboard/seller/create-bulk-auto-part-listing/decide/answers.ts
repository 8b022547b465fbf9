import { type ColumnQuestion, readAnswers } from '#contract/column-questions/questions.ts'
import type { Answers } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'

/* A seller's answers about a column whose values contradict its reading, before anything goes live. */

/** The choice that needs a rate in dollars per unit. */
export const RATE = 'rate'

/** An answer as it is being given. */
export type AnswerDraft = { picked: readonly string[]; rate: string }
export const emptyAnswer: AnswerDraft = { picked: [], rate: '' }

/** The dollars per unit as the server will read them, or undefined if the text is not a rate. */
export function rateIn(
  { id, column }: Pick<ColumnQuestion, 'id' | 'column'>,
  text: string,
): number | undefined {
  const answers = readAnswers({ [id]: text.trim().replace(/^\$\s*/, '') }, [column])
  if (!Array.isArray(answers)) return undefined
  const [answer] = answers
  return answer?.kind === 'currency' && answer.use !== 'leave-out' ? answer.use : undefined
}

/** The answer to send, or undefined while the question is open. */
export function answerTo(
  question: ColumnQuestion,
  { picked, rate }: AnswerDraft,
): Answers[string] | undefined {
  const [first] = picked
  if (first === undefined) return undefined
  if (question.several) return picked
  if (!question.takesRate || first !== RATE) return first
  const amount = rateIn(question, rate)
  return amount === undefined ? undefined : `${RATE}:${amount}`
}

/** The answers to all of them, or undefined while one is open. */
export function answersTo(
  questions: readonly ColumnQuestion[],
  drafts: ReadonlyMap<string, AnswerDraft>,
): Answers | undefined {
  const given = questions.map((question) => answerTo(question, drafts.get(question.id) ?? emptyAnswer))
  if (given.some((answer) => answer === undefined)) return undefined
  return Object.fromEntries(questions.map(({ id }, place) => [id, given[place] as Answers[string]]))
}
