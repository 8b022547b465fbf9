import { z } from 'zod'
import { findColumn } from '#contract/csv/csv-header.ts'
import { plainNumber } from '#contract/text/typed-number.ts'

/*
 * Questions about columns whose values contradict their mapping, and the answers. An import waits for them, because a
 * wrong reading would publish wrong prices.
 */

const columnQuestionKinds = ['price', 'currency', 'units', 'state'] as const

/** Maximum values that a question shows. */
export const MAX_VALUES_SHOWN = 30

const valueCounts = z.array(z.object({ value: z.string(), rows: z.number().int() }))

export const columnQuestion = z.object({
  /** `${kind}:${header}`; of several currencies in one column `currency:${header} (EUR)`. The same for files of the same shape. */
  id: z.string(),
  kind: z.enum(columnQuestionKinds),
  /** The file's header. */
  column: z.string(),
  sentence: z.string(),
  /** What it is about: the values of a column of states, the first amounts. */
  values: valueCounts,
  choices: z.array(z.object({ id: z.string(), label: z.string() })),
  /** Whether several choices may be chosen: the states that are for sale. */
  several: z.boolean(),
  /** Whether the choice `rate` needs an amount of dollars for one unit. */
  takesRate: z.boolean(),
})
export type ColumnQuestion = z.infer<typeof columnQuestion>

/** What was answered or assumed, as a sentence. */
export const columnAssumption = z.object({ id: z.string(), sentence: z.string() })
export type ColumnAssumption = z.infer<typeof columnAssumption>

/* Answers. */

const unitChoices = ['miles', 'kilometers', 'thousands', 'leave-out'] as const
export type UnitChoice = (typeof unitChoices)[number]

/** Dollars for one unit of a currency, or what happens to its rows instead. */
export type RateChoice = number | 'leave-out'

type Answered = {
  readonly id: string
  /** The file's header. */
  readonly column: string
  /** It was given for an earlier file of this shape. */
  readonly remembered?: boolean
}

export type ColumnAnswer = Answered &
  (
    | {
        readonly kind: 'price' /** A header, or undefined if no column is the price. */
        readonly use: string | undefined
      }
    | {
        readonly kind: 'currency'
        /** Undefined for the only other currency of the column. */
        readonly currency?: string | undefined
        readonly use: RateChoice
      }
    | { readonly kind: 'units'; readonly use: UnitChoice }
    | {
        readonly kind: 'state'
        readonly forSale: readonly string[]
        /**
         * The values at the time of an earlier answer; new values are asked about. Undefined if all count as
         * answered.
         */
        readonly known?: readonly string[] | undefined
      }
  )

/** Answers as sent: JSON text {id: answer}. */
export type SentAnswers = Readonly<Record<string, unknown>>

/** An answer as it is sent. */
export function sentAnswer(answer: ColumnAnswer): string | number | string[] {
  if (answer.kind === 'state') return [...answer.forSale]
  if (answer.kind !== 'price') return answer.use
  return answer.use ?? 'none'
}

// A file has at most a few questions.
const MOST_ANSWERS = 50
const LONGEST_ANSWER = 500
const MOST_CHOSEN = 100
// One unit of any currency costs less; 1,125 is more likely 1.125.
const HIGHEST_RATE = 100

const LABEL = /^rate\s*[:=]?\s*/i

/** The rate in 0.05, "0.05", "rate:0.05" and {rate: 0.05}; or undefined. */
function rateIn(sent: unknown): number | undefined {
  const value = typeof sent === 'object' && sent !== null && 'rate' in sent ? sent.rate : sent
  // “5%” is no rate.
  if (typeof value === 'string' && value.includes('%')) return undefined
  const rate =
    typeof value === 'string' ? Number(plainNumber(value.trim().replace(LABEL, ''))) : Number(value)
  return rate > 0 && rate <= HIGHEST_RATE ? rate : undefined
}

const listIn = (sent: unknown): string[] | undefined => {
  const list: unknown[] = Array.isArray(sent) ? sent : [sent]
  const texts = list.flatMap((one) =>
    typeof one === 'string' || typeof one === 'number' ? [String(one)] : [],
  )
  const isFine = texts.length === list.length && texts.length <= MOST_CHOSEN
  return isFine && texts.every((text) => text.length <= LONGEST_ANSWER) ? texts : undefined
}

type FoundColumn = { column: string; currency?: string }

/** The header that an id names; "currency:Price (EUR)" may name a currency after it. */
function columnIn(kind: string, named: string, header: readonly string[]): FoundColumn | undefined {
  const column = header[findColumn(header, named)]
  if (column !== undefined) return { column }
  const [, own = '', currency] = (kind === 'currency' && /^(.*) \((\S{1,20})\)$/.exec(named)) || []
  const behind = header[findColumn(header, own)]
  return behind === undefined || currency === undefined ? undefined : { column: behind, currency }
}

/** What is wrong with answers, as a sentence that names the answer. */
export type WrongAnswer = { readonly id: string; readonly sentence: string }

const wrong = (id: string, sentence: string): WrongAnswer => ({ id, sentence })
const shown = (text: string) => `“${text.slice(0, 60)}”`

function readAnswer(id: string, sent: unknown, header: readonly string[]): ColumnAnswer | WrongAnswer {
  const [, name = '', named = ''] = /^(\w+):(.*)$/s.exec(id) ?? []
  const kind = columnQuestionKinds.find((one) => one === name)
  const found = kind && columnIn(kind, named, header)
  if (!kind || !found) {
    return wrong(id, `There is no question ${shown(id)} about this file. Send the ids of its questions.`)
  }
  const answered = { id, ...found }
  if (kind === 'price') return readPrice(answered, sent, header)
  if (kind === 'currency') {
    const use = sent === 'leave-out' ? sent : rateIn(sent)
    if (use !== undefined) return { ...answered, kind, use }
    return wrong(id, `Answer ${shown(id)} with leave-out, or with dollars for one unit, such as 0.05`)
  }
  if (kind === 'units') {
    const use = unitChoices.find((choice) => choice === sent)
    if (use) return { ...answered, kind, use }
    return wrong(id, `Answer ${shown(id)} with one of ${unitChoices.join(', ')}`)
  }
  const forSale = listIn(sent)
  if (forSale) return { ...answered, kind, forSale }
  return wrong(id, `Answer ${shown(id)} with a list of the values that are for sale`)
}

function readPrice(answered: Answered, sent: unknown, header: readonly string[]): ColumnAnswer | WrongAnswer {
  const { id, column } = answered
  if (sent === 'none') return { ...answered, kind: 'price', use: undefined }
  if (sent === 'yes') return { ...answered, kind: 'price', use: column }
  const use = typeof sent === 'string' ? header[findColumn(header, sent)] : undefined
  if (use !== undefined) return { ...answered, kind: 'price', use }
  return wrong(id, `Answer ${shown(id)} with yes, none or the name of a column`)
}

/** Answers about the columns of a file, or the first that is wrong. */
export function readAnswers(sent: SentAnswers, header: readonly string[]): ColumnAnswer[] | WrongAnswer {
  const entries = Object.entries(sent)
  if (entries.length > MOST_ANSWERS) return wrong('', `Send at most ${MOST_ANSWERS} answers`)
  const answers: ColumnAnswer[] = []
  for (const [id, value] of entries) {
    const answer = readAnswer(id, value, header)
    if ('sentence' in answer) return answer
    answers.push(answer)
  }
  return answers
}

/** Earlier answers that apply to a file with the same columns. New answers take precedence. */
export function combineAnswers(
  sent: readonly ColumnAnswer[],
  remembered: readonly ColumnAnswer[],
): ColumnAnswer[] {
  const places = new Set(sent.map(placeOf))
  const isOpen = (answer: ColumnAnswer) => !places.has(placeOf(answer))
  return [
    ...sent.map((answer) => withCurrency(answer, remembered)),
    ...remembered.filter(isOpen).map((answer) => ({ ...answer, remembered: true })),
  ]
}

/** A program may send the rate of its first answer with each file; it applies to that currency only. */
function withCurrency(answer: ColumnAnswer, remembered: readonly ColumnAnswer[]): ColumnAnswer {
  if (answer.kind !== 'currency' || answer.use === 'leave-out') return answer
  return (
    remembered.find(({ id, ...known }) => id === answer.id && 'use' in known && known.use === answer.use) ??
    answer
  )
}

/** Earlier answers under this file's column names. Answers about missing columns are dropped. */
export function fittingAnswers(
  remembered: readonly ColumnAnswer[],
  header: readonly string[],
): ColumnAnswer[] {
  return remembered.flatMap((answer): ColumnAnswer[] => {
    const column = header[findColumn(header, answer.column)]
    if (column === undefined) return []
    const fitted = { ...answer, column, id: answer.id.replace(answer.column, () => column) }
    if (fitted.kind !== 'price' || fitted.use === undefined) return [fitted]
    const use = header[findColumn(header, fitted.use)]
    return use === undefined ? [] : [{ ...fitted, use }]
  })
}

/** A rate for a column applies to all of its currencies. */
const placeOf = ({ kind, column }: ColumnAnswer) => `${kind}:${column}`
