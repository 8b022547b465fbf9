import type { ColumnQuestion } from '#contract/column-questions/questions.ts'
import type { Answers } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'

/* What a seller says about a column whose values contradict its reading, before anything goes live. */

/** The choice that needs an amount of dollars for one unit. */
export const RATE = 'rate'

/** An answer as it is being given. */
export type Draft = { picked: readonly string[]; rate: string }
export const noDraft: Draft = { picked: [], rate: '' }

/** Other currencies have between a tenth of a cent and a thousand dollars for one unit; more is a slip of the finger. */
const RATES = { least: 0.00001, most: 1_000 } as const

/** The dollars for one unit, typed with a point or a comma; undefined if the text is not one number in these limits. */
export function rateIn(text: string): number | undefined {
  const plain = text
    .trim()
    .replace(/^\$\s*/, '')
    .replace(',', '.')
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(plain)) return undefined
  const rate = Number(plain)
  return rate >= RATES.least && rate <= RATES.most ? rate : undefined
}

/** The answer to send, or undefined while the question is open. */
export function answerTo(question: ColumnQuestion, { picked, rate }: Draft): Answers[string] | undefined {
  const [first] = picked
  if (first === undefined) return undefined
  if (question.several) return picked
  if (!question.takesRate || first !== RATE) return first
  const amount = rateIn(rate)
  return amount === undefined ? undefined : `${RATE}:${amount}`
}

/** The answers to all of them, or undefined while one is open. */
export function answersTo(
  questions: readonly ColumnQuestion[],
  drafts: ReadonlyMap<string, Draft>,
): Answers | undefined {
  const given = questions.map((question) => answerTo(question, drafts.get(question.id) ?? noDraft))
  if (given.some((answer) => answer === undefined)) return undefined
  return Object.fromEntries(questions.map(({ id }, place) => [id, given[place] as Answers[string]]))
}
