import { Alert, Button, Card, Checkbox, Group, NativeSelect, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type TaxonomyName, type TaxonomyQuestion, taxonomyEndpoints } from '#contract/admin/taxonomy.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { Outcome } from '#web/components/imports/import-plan.tsx'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import records from '#web/components/records-list.module.css'
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
  const titleId = useId()
  return (
    <Card component="section" aria-labelledby={titleId}>
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={3} id={titleId}>
            Taxonomy resolver
          </Title>
          {last && (
            <Button variant="default" size="xs" loading={isBusy} onClick={resolve}>
              Resolve again
            </Button>
          )}
        </Group>
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
      </Stack>
    </Card>
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
      <Created label="Created categories" names={result.createdCategories} />
      <Created label="Created manufacturers" names={result.createdManufacturers} />
      <Created label="Created models" names={models} />
      <NameQuestions questions={result.unsure} count={result.unsureCount} />
      {result.names.length > 0 && <Matches names={result.names} />}
    </>
  )
}

const Created = ({ label, names }: { label: string; names: readonly string[] }) =>
  names.length > 0 && (
    <Text size="sm">
      <strong>{label}:</strong> {names.join(', ')}
    </Text>
  )

function Matches({ names }: { names: readonly TaxonomyName[] }) {
  return (
    <section aria-label="How names were matched">
      <Title order={4} size="h4" mb="xs">
        How names were matched
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
      <section className={records.frame} style={{ maxHeight: '28rem' }} aria-label="Matches" tabIndex={0}>
        <Table className={records.table} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Kind</Table.Th>
              <Table.Th>Typed</Table.Th>
              <Table.Th>Matched</Table.Th>
              <Table.Th>How</Table.Th>
              <Table.Th className={records.number}>Confidence</Table.Th>
              <Table.Th className={records.number}>Rows</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {names.map((name) => (
              <Match key={JSON.stringify([name.kind, name.typed, name.manufacturer])} name={name} />
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </section>
  )
}

function Match({ name }: { name: TaxonomyName }) {
  const { rowsOutOfYears } = name
  return (
    <Table.Tr>
      <Table.Td data-label="Kind">{kindWords[name.kind]}</Table.Td>
      <Table.Td data-label="Typed">{name.typed}</Table.Td>
      <Table.Td data-label="Matched">{[name.manufacturer, name.matched].filter(Boolean).join(' ')}</Table.Td>
      <Table.Td data-label="How">{howWords[name.how]}</Table.Td>
      <Table.Td data-label="Confidence" className={records.number}>
        {confidenceWords(name.confidence)}
      </Table.Td>
      <Table.Td data-label="Rows" className={records.number}>
        {formatCount(name.rows)}
        {rowsOutOfYears > 0 && ` (${formatCount(rowsOutOfYears)} outside its production years)`}
      </Table.Td>
    </Table.Tr>
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
