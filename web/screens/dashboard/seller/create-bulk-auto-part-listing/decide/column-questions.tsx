import { Button, Card, Checkbox, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { Fragment, type ReactNode, useState } from 'react'
import { currencyOfHeader, inDollars } from '#contract/column-questions/currencies.ts'
import type { ColumnAssumption, ColumnQuestion } from '#contract/column-questions/questions.ts'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { amountIn } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/column-choice.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { formatPrice } from '#web/site/card/listing-words.ts'
import { type AnswerDraft, answersTo, emptyAnswer, RATE, rateIn } from './answers.ts'
import { askAgain } from './ask-again.ts'
import classes from './decide.module.css'

type ColumnQuestionsProps = {
  wizard: Wizard
  order: RunOrder
  questions: readonly ColumnQuestion[]
  /** Assumptions from earlier answers, which can be changed. */
  remembered?: readonly ColumnAssumption[]
}

/** The questions about columns to answer before anything goes live, one card each. */
export function ColumnQuestions({ wizard, order, questions, remembered = [] }: ColumnQuestionsProps) {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, AnswerDraft>>(new Map())
  const [changed, setChanged] = useState<readonly ColumnQuestion[]>([])
  const asked = [...questions, ...changed]
  const answers = answersTo(asked, drafts)
  const isOne = asked.length === 1
  return (
    <>
      <Remembered
        remembered={remembered.filter(({ id }) => !changed.some((question) => question.id === id))}
        onChange={(one) => {
          const question = askAgain(one, order.file)
          if (question) setChanged([...changed, question])
        }}
      />
      {asked.map((question) => (
        <QuestionCard
          key={question.id}
          wizard={wizard}
          order={order}
          question={question}
          draft={drafts.get(question.id) ?? emptyAnswer}
          onChange={(draft) => setDrafts((before) => new Map(before).set(question.id, draft))}
        />
      ))}
      {asked.length > 0 && (
        <Card component="section" aria-label="Your answers">
          <Group gap="md">
            <Button
              disabled={answers === undefined || wizard.locked}
              onClick={() => answers && wizard.checkWith({ answers })}
            >
              {isOne ? 'Use this answer' : 'Use these answers'}
            </Button>
            <Text className="second">
              {answers === undefined
                ? `Answer ${isOne ? 'the question' : 'the questions'} above first.`
                : 'We check the file again and use this for your next files, too.'}
            </Text>
          </Group>
        </Card>
      )}
    </>
  )
}

type RememberedProps = {
  remembered: readonly ColumnAssumption[]
  onChange: (one: ColumnAssumption) => void
}

/** “Prices are pesos at 0.05”: earlier answers that apply to this file. */
function Remembered({ remembered, onChange }: RememberedProps) {
  if (remembered.length === 0) return null
  return (
    <Card component="section" aria-label="From your earlier answers" padding="md">
      {remembered.map((one) => (
        <Group key={one.id} gap="sm">
          <Text>{one.sentence.replace(/\.$/, '')}.</Text>
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={`Change: ${one.sentence}`}
            onClick={() => onChange(one)}
          >
            Change
          </Button>
        </Group>
      ))}
    </Card>
  )
}

type QuestionCardProps = {
  wizard: Wizard
  order: RunOrder
  question: ColumnQuestion
  draft: AnswerDraft
  onChange: (draft: AnswerDraft) => void
}

function QuestionCard(props: QuestionCardProps) {
  const { question } = props
  return (
    <Card component="section" aria-label={question.sentence} data-problem tabIndex={-1}>
      {question.several ? <StatesForSale {...props} /> : <OneChoice {...props} />}
    </Card>
  )
}

/** “Which of these are for sale?”, with the number of rows of each value. */
function StatesForSale({ question, draft, onChange }: QuestionCardProps) {
  const { sentence, column, choices, values } = question
  const rowsOf = (id: string) => values.find(({ value }) => value === id)?.rows
  return (
    <Checkbox.Group
      label={<Sentence>{sentence}</Sentence>}
      description={`From the column “${column}”. Parts with any other value are not listed.`}
      value={[...draft.picked]}
      onChange={(picked) => onChange({ ...draft, picked })}
    >
      <div className={classes.states}>
        {choices.map(({ id, label }) => {
          const rows = rowsOf(id)
          const words = label || 'Empty cells'
          return (
            <Checkbox
              key={id}
              value={id}
              label={rows === undefined ? words : `${words} (${rowsInWords(rows)})`}
            />
          )
        })}
      </div>
    </Checkbox.Group>
  )
}

function OneChoice(props: QuestionCardProps) {
  const { wizard, question, draft, onChange } = props
  const { sentence, choices, kind, column, values } = question
  const found = values.map(({ value }) => value).filter(Boolean)
  const [picked = null] = draft.picked
  return (
    <Radio.Group
      label={<Sentence>{sentence}</Sentence>}
      description={
        kind !== 'price' && found.length > 0 && `“${column}” has ${found.slice(0, SHOWN_VALUES).join(', ')}.`
      }
      value={picked}
      onChange={(id) => onChange({ ...draft, picked: [id] })}
    >
      <Stack gap="xs" mt="sm" align="flex-start">
        {choices.map(({ id, label }) => (
          <Fragment key={id}>
            <Radio value={id} label={choiceWords(question, { id, label })} />
            {id === RATE && picked === RATE && question.takesRate && <Rate {...props} />}
          </Fragment>
        ))}
        {kind === 'price' && (
          <Button size="compact-sm" variant="subtle" onClick={() => wizard.seek('partprice')}>
            See all columns
          </Button>
        )}
      </Stack>
    </Radio.Group>
  )
}

/** “Yes”, or “No, it is” and another column. */
function choiceWords({ kind, column }: ColumnQuestion, { id, label }: ColumnQuestion['choices'][number]) {
  if (kind !== 'price') return label
  if (id === 'yes' || id === column) return 'Yes'
  return id === 'none' ? 'No, none of my columns' : `No, it is ${label}`
}

const SHOWN_VALUES = 4

const Sentence = ({ children }: { children: ReactNode }) => (
  <span className={classes.question}>{children}</span>
)

/** “1 MXN = 0.05 dollars”, and what a price of the file becomes. */
function Rate({ order, question, draft, onChange }: QuestionCardProps) {
  const rate = rateIn(question, draft.rate)
  const isWrong = draft.rate.trim() !== '' && rate === undefined
  const example = priceIn(order, question)
  return (
    <div className={classes.rate}>
      <TextInput
        label={`Dollars for 1 ${codeOf(question)}`}
        description="For example 0.05"
        value={draft.rate}
        onChange={(event) => onChange({ ...draft, rate: event.currentTarget.value })}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        error={isWrong && 'Write the rate as a number, such as 0.05'}
        maw="16rem"
      />
      {rate !== undefined && (
        <Text role="status" mt="xs">
          1 {codeOf(question)} = {rate} dollars.
          {example && ` “${example.text}” is listed at ${priceAt(example.amount, rate)}.`}
        </Text>
      )}
    </div>
  )
}

const priceAt = (amount: number, rate: number): string =>
  formatPrice(Number(inDollars(String(amount), rate)), 'USD')

/** The code of the currency that the question is about. */
function codeOf({ id, column, choices, sentence }: ColumnQuestion): string {
  const texts = [...choices.map(({ label }) => label), id, column, sentence]
  const code = texts.map(currencyOfHeader).find((one) => one !== undefined && one !== 'USD')
  return code ?? 'of your currency'
}

/** A price of the file, as an example: of the column that was asked about, or of the price's. */
function priceIn({ file, mapping }: RunOrder, { column, values }: ColumnQuestion) {
  const samples = [column, mapping.partprice].flatMap((header) => {
    const at = header === undefined ? -1 : file.headers.indexOf(header)
    const mark = file.decimals[header ?? ''] === 'comma' ? ('comma' as const) : ('point' as const)
    return file.samples.map((row) => ({ text: row[at]?.trim() ?? '', mark }))
  })
  const asked = values.map(({ value }) => ({ text: value, mark: 'point' as const }))
  for (const { text, mark } of [...samples, ...asked]) {
    const amount = amountIn(text, mark)
    if (amount !== undefined && amount > 0) return { text, amount }
  }
  return undefined
}
