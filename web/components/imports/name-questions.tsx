import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
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
/** A person answers the names on most rows first; the others follow when these are saved. */
const SHOWN = 10

type Choice = { picked: string; otherId: string }
const keyOf = ({ kind, typed, about }: ImportQuestion) => [kind, typed, about].join('\n')

type NameAnswer = Pick<ImportQuestion, 'kind' | 'typed' | 'about'> & { lookupId: string | null }

function answerOf(question: ImportQuestion, choice: Choice | undefined): NameAnswer[] {
  if (!choice || (choice.picked === OTHER && choice.otherId === '')) return []
  const { kind, typed, about } = question
  if (choice.picked === NEW) return [{ kind, typed, about, lookupId: null }]
  return [{ kind, typed, about, lookupId: choice.picked === OTHER ? choice.otherId : choice.picked }]
}

/**
 * Answers picked but not saved yet, until the page is closed: the same questions come up again after the next check
 * and run.
 */
const PICKED = ['picked names']
const NONE: ReadonlyMap<string, Choice> = new Map()

type NameQuestionsProps = {
  questions: readonly ImportQuestion[]
  lead: string
  /** Called when answers are saved. */
  onAnswered?: () => void
}

/** What names in the file mean: answered once, remembered for all files of this yard. */
export function NameQuestions({ questions, lead, onAnswered }: NameQuestionsProps) {
  const client = useQueryClient()
  const { data: choices = NONE } = useQuery({
    queryKey: PICKED,
    queryFn: skipToken as typeof skipToken | (() => ReadonlyMap<string, Choice>),
    gcTime: Number.POSITIVE_INFINITY,
  })
  const choose = (question: ImportQuestion, choice: Choice) =>
    client.setQueryData(PICKED, new Map(choices).set(keyOf(question), choice))
  const shown = questions.slice(0, SHOWN)
  const answers = shown.flatMap((question) => answerOf(question, choices.get(keyOf(question))))
  const { mutate: save, isPending } = useMutation({
    mutationFn: () => call(importEndpoints.answerNames, { body: { answers } }),
    onSuccess: () => {
      notifyDone('Answers saved. We will use them for your next files, too.')
      void client.invalidateQueries({ queryKey: ['imports'] })
      onAnswered?.()
    },
    onError: (error) => notifyError(error, 'Your answers could not be saved'),
  })
  if (shown.length === 0) return null
  const more = questions.length - shown.length
  return (
    <SectionCard title="Questions about your file">
      <Text>{lead}</Text>
      <Stack gap="lg">
        {shown.map((question) => (
          <Question
            key={keyOf(question)}
            question={question}
            choice={choices.get(keyOf(question))}
            onChoose={(choice) => choose(question, choice)}
          />
        ))}
      </Stack>
      <Group gap="md">
        <Button onClick={() => save()} loading={isPending} disabled={answers.length === 0}>
          {saveWords(answers.length)}
        </Button>
        {more > 0 && <Text className="second">{followWords(more)}</Text>}
      </Group>
    </SectionCard>
  )
}

function saveWords(count: number): string {
  if (count === 0) return 'Save answers'
  return count === 1 ? 'Save 1 answer' : `Save ${formatCount(count)} answers`
}

const followWords = (more: number): string =>
  more === 1 ? 'One more question follows.' : `${formatCount(more)} more questions follow.`

type QuestionProps = {
  question: ImportQuestion
  choice: Choice | undefined
  onChoose: (choice: Choice) => void
}

function Question({ question, choice, onChoose }: QuestionProps) {
  const { kind, typed, choices, mayBeNew, rows, example } = question
  const noun = { category: 'part type', manufacturer: 'make', 'car-model': 'model' }[kind]
  const label = wordsOf(question)
  const description = `For ${rowsInWords(rows)}, such as “${example}”.`
  const otherName = (text?: QuestionText) => (
    <OtherName
      text={text}
      question={question}
      value={choice?.otherId ?? ''}
      onChange={(otherId) => onChoose({ picked: OTHER, otherId })}
    />
  )
  if (choices.length === 0 && !mayBeNew) {
    return <div className={classes.only}>{otherName({ label, description })}</div>
  }
  return (
    <Radio.Group
      label={label}
      description={description}
      value={choice?.picked ?? null}
      onChange={(picked) => onChoose({ picked, otherId: choice?.otherId ?? '' })}
    >
      <Stack gap="xs" mt="xs">
        {choices.map(({ id, name }) => (
          <Radio key={id} value={id} label={name} />
        ))}
        {mayBeNew && <Radio value={NEW} label={`A new ${noun}: add “${typed}”`} />}
        <Radio value={OTHER} label={choices.length > 0 ? `Another ${noun}` : `Choose the ${noun}`} />
        {choice?.picked === OTHER && <div className={classes.other}>{otherName()}</div>}
      </Stack>
    </Radio.Group>
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

type QuestionText = { label: string; description: string }
type OtherNameProps = {
  question: ImportQuestion
  /** The question itself, for questions without other answers. */
  text: QuestionText | undefined
  value: string
  onChange: (id: string) => void
}

function OtherName({ text, ...props }: OtherNameProps) {
  const { question, value, onChange } = props
  if (question.kind === 'category')
    return <CategorySelect label="Part type" {...text} value={value} onChange={onChange} />
  if (question.kind === 'manufacturer')
    return <ManufacturerSelect label="Make" {...text} value={value} onChange={onChange} />
  return <ModelChoice text={text} {...props} />
}

function ModelChoice({ question, text, value, onChange }: OtherNameProps) {
  const lookup = useCarModels(question.manufacturerId ?? '')
  const options = (lookup.data ?? []).map(({ id, carname }) => ({ value: id, label: carname }))
  return (
    <SearchSelect
      label="Model"
      {...text}
      data={options}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      {...loadState(lookup, 'No such model')}
    />
  )
}
