import { Button, Card, Group, NativeSelect, Text } from '@mantine/core'
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ImportQuestion, type ImportRecord, importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { useCarModels } from '#web/components/listing-lookups/lookup-queries.ts'
import {
  CategorySelect,
  loadState,
  ManufacturerSelect,
  SearchSelect,
} from '#web/components/listing-lookups/lookup-selects.tsx'
import { Loaded } from '#web/components/page/load-error.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { formatCount, rowsInWords } from './import-words.ts'
import classes from './name-questions.module.css'

/** The questions of an import whose other rows are live. */
export function ImportQuestions({ record }: { record: ImportRecord }) {
  const { id, plan } = record
  const held = plan?.held ?? 0
  const found = useQuery({
    queryKey: ['imports', 'questions', id, plan?.id],
    queryFn: ({ signal }) => call(importEndpoints.readQuestions, { params: { id }, signal }),
    enabled: held > 0,
  })
  if (held === 0) return null
  const lead = `${rowsInWords(held)} ${held === 1 ? 'waits' : 'wait'} for your answers. All other rows go live without them.`
  return (
    <Loaded query={found} failure="The questions about your file could not be loaded." waiting={null}>
      {({ questions }) => <NameQuestions questions={questions} lead={lead} />}
    </Loaded>
  )
}

const NEW = 'new'
const OTHER = 'other'
const OUT = 'leave-out'
/** A person answers the names on most rows first; the others follow when these are saved. */
const SHOWN = 50
/** Of less likely meanings none is suggested. */
const LIKELY = 0.5

type Choice = { picked: string; otherId: string }
const keyOf = ({ kind, typed, about }: ImportQuestion) => [kind, typed, about].join('\n')

type NameAnswer = Pick<ImportQuestion, 'kind' | 'typed' | 'about'> & {
  lookupId: string | null
  leaveOut?: boolean
}

function answerOf({ kind, typed, about }: ImportQuestion, choice: Choice | undefined): NameAnswer[] {
  if (!choice || choice.picked === '' || (choice.picked === OTHER && choice.otherId === '')) return []
  if (choice.picked === NEW) return [{ kind, typed, about, lookupId: null }]
  if (choice.picked === OUT) return [{ kind, typed, about, lookupId: null, leaveOut: true }]
  return [{ kind, typed, about, lookupId: choice.picked === OTHER ? choice.otherId : choice.picked }]
}

/** The likeliest meaning; a name like none that we know is a new one. */
function suggestionFor({ choices, mayBeNew }: ImportQuestion): string | undefined {
  const [first] = choices
  if (first && first.certainty >= LIKELY) return first.id
  return !first && mayBeNew ? NEW : undefined
}

/**
 * Answers picked but not saved yet, until the page is closed: the same questions come up again after the next check
 * and run.
 */
const PICKED = ['picked names']
const NONE: ReadonlyMap<string, Choice> = new Map()

type NameQuestionsProps = {
  questions: readonly ImportQuestion[]
  /** Names whose parts an earlier answer leaves out. */
  leftOut?: readonly ImportQuestion[]
  lead: string
  /** Called when answers are saved. */
  onAnswered?: () => void
}

/** What names in the file mean: answered once, remembered for all files of this yard. */
export function NameQuestions({ questions, leftOut = [], lead, onAnswered }: NameQuestionsProps) {
  const client = useQueryClient()
  const [changed, setChanged] = useState<readonly ImportQuestion[]>([])
  const { data: choices = NONE } = useQuery({
    queryKey: PICKED,
    queryFn: skipToken as typeof skipToken | (() => ReadonlyMap<string, Choice>),
    gcTime: Number.POSITIVE_INFINITY,
  })
  const choose = (picked: readonly (readonly [ImportQuestion, Choice])[]) =>
    client.setQueryData(
      PICKED,
      new Map([...choices, ...picked.map(([question, choice]) => [keyOf(question), choice] as const)]),
    )
  const asked = [...questions, ...changed]
  const shown = asked.slice(0, SHOWN)
  const answers = shown.flatMap((question) => answerOf(question, choices.get(keyOf(question))))
  const suggested = shown.flatMap((question) => {
    const picked = suggestionFor(question)
    const isOpen = answerOf(question, choices.get(keyOf(question))).length === 0
    return picked && isOpen ? [[question, { picked, otherId: '' }] as const] : []
  })
  const { mutate: save, isPending } = useMutation({
    mutationFn: () => call(importEndpoints.answerNames, { body: { answers } }),
    onSuccess: () => {
      notifyDone('Answers saved. We will use them for your next files, too.')
      setChanged([])
      void client.invalidateQueries({ queryKey: ['imports'] })
      onAnswered?.()
    },
    onError: (error) => notifyError(error, 'Your answers could not be saved'),
  })
  const stillOut = leftOut.filter((one) => !changed.some((other) => keyOf(other) === keyOf(one)))
  const earlier = (
    <LeftOutNames names={stillOut} onChange={(question) => setChanged([...changed, question])} />
  )
  if (shown.length === 0) return earlier
  const more = asked.length - shown.length
  return (
    <>
      {earlier}
      <SectionCard title="Questions about your file">
        {questions.length > 0 && <Text>{lead}</Text>}
        {kinds.map((kind) => (
          <NamesOfKind
            key={kind}
            kind={kind}
            questions={shown.filter((question) => question.kind === kind)}
            choices={choices}
            onChoose={(question, choice) => choose([[question, choice]])}
          />
        ))}
        <Group gap="md">
          {suggested.length > 0 && (
            <Button variant="default" onClick={() => choose(suggested)}>
              {suggested.length === 1
                ? 'Choose the suggestion'
                : `Choose all ${suggested.length} suggestions`}
            </Button>
          )}
          <Button onClick={() => save()} loading={isPending} disabled={answers.length === 0}>
            {saveWords(answers.length)}
          </Button>
          {more > 0 && <Text className="second">{followWords(more)}</Text>}
        </Group>
      </SectionCard>
    </>
  )
}

type LeftOutNamesProps = {
  names: readonly ImportQuestion[]
  onChange: (question: ImportQuestion) => void
}

function LeftOutNames({ names, onChange }: LeftOutNamesProps) {
  if (names.length === 0) return null
  return (
    <Card component="section" aria-label="Left out by your earlier answers" padding="md">
      {names.map((question) => {
        const name = question.typed || question.about
        return (
          <Group key={keyOf(question)} gap="sm">
            <Text>
              Parts named “{name}” are left out ({rowsInWords(question.rows)}).
            </Text>
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={`Change: “${name}” is left out`}
              onClick={() => onChange(question)}
            >
              Change
            </Button>
          </Group>
        )
      })}
    </Card>
  )
}

function saveWords(count: number): string {
  if (count === 0) return 'Save answers'
  return count === 1 ? 'Save 1 answer' : `Save ${formatCount(count)} answers`
}

const followWords = (more: number): string =>
  more === 1 ? 'One more question follows.' : `${formatCount(more)} more questions follow.`

const kinds = ['category', 'manufacturer', 'car-model'] as const satisfies ImportQuestion['kind'][]
const nouns = { category: 'part type', manufacturer: 'make', 'car-model': 'model' } as const
const unknown = { category: 'part name', manufacturer: 'make', 'car-model': 'model' } as const

type NamesOfKindProps = {
  kind: ImportQuestion['kind']
  questions: readonly ImportQuestion[]
  choices: ReadonlyMap<string, Choice>
  onChoose: (question: ImportQuestion, choice: Choice) => void
}

/** All unknown names of a kind are one question: a line for each, answered together. */
function NamesOfKind({ kind, questions, choices, onChoose }: NamesOfKindProps) {
  if (questions.length === 0) return null
  const isOne = questions.length === 1
  return (
    <fieldset className={classes.kind}>
      <legend className={classes.question}>
        {formatCount(questions.length)} {unknown[kind]}
        {isOne ? '' : 's'} that we don’t know
      </legend>
      <Text className="second">
        Choose a {kind === 'category' ? 'category' : nouns[kind]} {isOne ? '' : 'for each '}or leave{' '}
        {isOne ? 'its parts' : 'their parts'} out.
      </Text>
      {questions.map((question) => (
        <Question
          key={keyOf(question)}
          question={question}
          choice={choices.get(keyOf(question))}
          onChoose={(choice) => onChoose(question, choice)}
        />
      ))}
    </fieldset>
  )
}

type QuestionProps = {
  question: ImportQuestion
  choice: Choice | undefined
  onChoose: (choice: Choice) => void
}

function Question({ question, choice, onChoose }: QuestionProps) {
  const { kind, typed, choices, mayBeNew, rows, example } = question
  const noun = nouns[kind]
  const otherId = choice?.otherId ?? ''
  return (
    <div className={classes.name}>
      <NativeSelect
        label={wordsOf(question)}
        description={`For ${rowsInWords(rows)}, such as “${example}”.`}
        value={choice?.picked ?? ''}
        onChange={(event) => onChoose({ picked: event.currentTarget.value, otherId })}
        data={[
          { value: '', label: 'Choose…' },
          ...choices.map(({ id, name }) => ({ value: id, label: name })),
          ...(mayBeNew ? [{ value: NEW, label: `A new ${noun}: add “${typed}”` }] : []),
          { value: OTHER, label: choices.length > 0 ? `Another ${noun}…` : `Choose the ${noun}…` },
          { value: OUT, label: 'Leave these parts out' },
        ]}
      />
      {choice?.picked === OTHER && (
        <OtherName
          question={question}
          value={otherId}
          onChange={(id) => onChoose({ picked: OTHER, otherId: id })}
        />
      )}
    </div>
  )
}

export function wordsOf({ kind, typed, about }: Pick<ImportQuestion, 'kind' | 'typed' | 'about'>): string {
  if (kind === 'manufacturer') return `Which make is “${typed}”?`
  if (kind === 'car-model') return `Which ${about} model is “${typed}”?`
  const words = wordsIn(typed)
  // The yard's word means the same, in the yard's spelling.
  if (wordsIn(about).every((word) => words.includes(word))) return `What kind of part is “${typed}”?`
  return typed === ''
    ? `What kind of part is “${about}”?`
    : `What kind of part is “${about}” (your word: “${typed}”)?`
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

type OtherNameProps = {
  question: ImportQuestion
  value: string
  onChange: (id: string) => void
}

function OtherName({ question, ...props }: OtherNameProps) {
  if (question.kind === 'category') return <CategorySelect label="Part type" {...props} />
  if (question.kind === 'manufacturer') return <ManufacturerSelect label="Make" {...props} />
  return <ModelChoice question={question} {...props} />
}

function ModelChoice({ question, value, onChange }: OtherNameProps) {
  const lookup = useCarModels(question.manufacturerId ?? '')
  const options = (lookup.data ?? []).map(({ id, carname }) => ({ value: id, label: carname }))
  return (
    <SearchSelect
      label="Model"
      data={options}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      {...loadState(lookup, 'No such model')}
    />
  )
}
