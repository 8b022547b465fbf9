import { Alert, Button, Checkbox, NativeSelect, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type TaxonomyName, type TaxonomyQuestion, taxonomyEndpoints } from '#contract/admin/taxonomy.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { NewNames, Outcome } from '#web/components/imports/import-plan.tsx'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { type Column, ScrolledRecords } from '#web/components/records-list.tsx'
import { momentWords } from '#web/components/time-words.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import classes from '#web/screens/dashboard/admin/mission-control/preprocess/staging/staging.module.css'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import { FollowedJob } from './plan-card.tsx'
import type { StagingActions } from './staging-actions.ts'

type Last = NonNullable<Answer<typeof taxonomyEndpoints.readTaxonomy>['last']>

/** The open file's last taxonomy result, by any user, and the job resolving it now. */
export function TaxonomyBox({ actions: { taxonomy, resolve } }: { actions: StagingActions }) {
  const { last, jobId, jobEnded, isBusy } = taxonomy
  return (
    <SectionCard
      order={3}
      title="Taxonomy resolver"
      aside={
        last && (
          <Button variant="default" size="xs" loading={isBusy} onClick={resolve}>
            Resolve again
          </Button>
        )
      }
    >
      {jobId !== undefined && (
        <FollowedJob key={jobId} jobId={jobId} label="Resolving names" onEnd={() => void jobEnded()} />
      )}
      {last ? (
        <Result last={last} />
      ) : (
        <Text className="second">
          “Resolve Taxonomy” matches names to the catalog and creates missing ones. Results and names that
          need a decision appear here.
        </Text>
      )}
    </SectionCard>
  )
}

function Result({ last: { result, madeAt, madeBy } }: { last: Last }) {
  const models = result.createdModels.map(({ manufacturer, name }) => `${manufacturer} ${name}`)
  return (
    <>
      <Text role="status">{result.message}</Text>
      {result.stopped !== null && <Alert color="warning">{result.stopped}</Alert>}
      {result.files.map((file) => (
        <div key={file.path}>
          <Text size="sm" className="second" mb="xs">
            {file.path}, version {file.version}, {momentWords(madeAt)}
            {madeBy !== null && ` by ${madeBy}`}
          </Text>
          <Outcome
            figuresOnly
            label={`Counters of ${file.path}`}
            parts={[
              { label: 'Rows updated', count: file.updatedCount, color: 'sea' },
              { label: 'Names rewritten', count: file.rewrittenCount, color: 'sea' },
              { label: 'Spellings replaced', count: file.modifiedCount, color: 'sea' },
              { label: 'Names created', count: file.createdCount, color: 'good' },
            ]}
          />
        </div>
      ))}
      <NewNames
        all
        title="Created names"
        names={{
          category: result.createdCategories,
          manufacturer: result.createdManufacturers,
          model: models,
        }}
      />
      <NameQuestions questions={result.unsure} count={result.unsureCount} />
      {result.names.length > 0 && <Matches names={result.names} />}
    </>
  )
}

const matchColumns: Column<TaxonomyName & { id: string }>[] = [
  { header: 'Kind', labeled: true, cell: ({ kind }) => kindWords[kind] },
  { header: 'Typed', labeled: true, cell: ({ typed }) => typed },
  {
    header: 'Matched',
    labeled: true,
    cell: ({ manufacturer, matched }) => [manufacturer, matched].filter(Boolean).join(' '),
  },
  { header: 'How', labeled: true, cell: ({ how }) => howWords[how] },
  {
    header: 'Confidence',
    labeled: true,
    numeric: true,
    cell: ({ confidence }) => confidenceWords(confidence),
  },
  { header: 'Rows', labeled: true, numeric: true, cell: (name) => rowsOfMatch(name) },
]

const rowsOfMatch = ({ rows, rowsOutOfYears }: TaxonomyName): string =>
  rowsOutOfYears === 0
    ? formatCount(rows)
    : `${formatCount(rows)} (${formatCount(rowsOutOfYears)} outside its production years)`

function Matches({ names }: { names: readonly TaxonomyName[] }) {
  const items = names.map((name) => ({
    ...name,
    id: JSON.stringify([name.kind, name.typed, name.manufacturer]),
  }))
  return (
    <section aria-label="How names were matched">
      <Title order={4} size="h4" mb="xs">
        How names were matched
      </Title>
      <ScrolledRecords label="Matches" columns={matchColumns} items={items} />
    </section>
  )
}

type NameQuestionsProps = { questions: readonly TaxonomyQuestion[]; count: number }

/** Names kept as text until an admin chooses their match, which then applies to all files. */
function NameQuestions({ questions, count }: NameQuestionsProps) {
  if (count === 0) return <Text size="sm">No uncertain names.</Text>
  return (
    <section aria-label="Uncertain names">
      <Title order={4} size="h4">
        Uncertain names ({formatCount(count)})
      </Title>
      <Text size="sm" className="second" mb="xs">
        These don’t block promotion. Choose a match, then “Resolve again”.
        {count > questions.length && ` Showing the ${formatCount(questions.length)} used most.`}
      </Text>
      <ul className={classes.questions}>
        {questions.map((question) => (
          <Question
            key={JSON.stringify([question.kind, question.typed, question.about, question.manufacturerId])}
            question={question}
          />
        ))}
      </ul>
    </section>
  )
}

const NEW = 'new'

function Question({ question }: { question: TaxonomyQuestion }) {
  const { kind, typed, about, manufacturer, manufacturerId, candidates, reason, rows } = question
  const [meaning, setMeaning] = useState(candidates[0]?.id ?? NEW)
  const [isForAll, setForAll] = useState(about === '')
  const deciding = useMutation({
    mutationFn: () =>
      call(taxonomyEndpoints.decideName, {
        body: {
          kind,
          typed,
          manufacturerId,
          about: isForAll || meaning === NEW ? '' : about,
          lookupId: meaning === NEW ? null : meaning,
        },
      }),
    onError: (error) => notifyProblem(failureWords(error, FALLBACK), { about: 'taxonomy' }),
  })
  const choices = [
    ...candidates.map(({ id, name, confidence }) => ({
      value: id,
      label: `${name} (${confidenceWords(confidence)})`,
    })),
    { value: NEW, label: `New name: ${typed}` },
  ]
  const of = manufacturer === null ? '' : ` of ${manufacturer}`
  const what = `${kindWords[kind]} “${typed}”${of}${about === '' ? '' : ` for “${about}”`}`
  return (
    <li className={classes.question} aria-label={what}>
      <div>
        <Text fw={600}>{what}</Text>
        <Text size="sm" className="second">
          {rowsInWords(rows)} · {reason}
        </Text>
      </div>
      {deciding.data ? (
        <Text role="status" size="sm" fw={600}>
          Decided: {deciding.data.name}
        </Text>
      ) : (
        <div className={classes.decision}>
          <NativeSelect
            size="sm"
            aria-label={`What ${what} means`}
            data={choices}
            value={meaning}
            onChange={(event) => setMeaning(event.currentTarget.value)}
          />
          {about !== '' && meaning !== NEW && (
            <Checkbox
              label={`For every part under “${typed}”`}
              checked={isForAll}
              onChange={(event) => setForAll(event.currentTarget.checked)}
            />
          )}
          <Button size="sm" variant="default" loading={deciding.isPending} onClick={() => deciding.mutate()}>
            Decide
          </Button>
        </div>
      )}
    </li>
  )
}

const FALLBACK = 'The decision could not be saved. Try again.'

const kindWords: Record<TaxonomyName['kind'], string> = {
  category: 'Category',
  manufacturer: 'Manufacturer',
  'car-model': 'Model',
}

const howWords: Record<TaxonomyName['how'], string> = {
  exact: 'Exact match',
  alias: 'Alias',
  spelling: 'Spelling variant',
  abbreviation: 'Abbreviation',
  within: 'Partial match',
  similar: 'Typo',
  new: 'Created',
}

/** "97%"; a new name was not compared. */
const confidenceWords = (confidence: number | null): string =>
  confidence === null ? '–' : `${Math.floor(confidence * 100)}%`
