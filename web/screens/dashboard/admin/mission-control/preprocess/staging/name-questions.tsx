import { Button, NativeSelect, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type TaxonomyQuestion, taxonomyEndpoints } from '#contract/taxonomy.ts'
import { call } from '#web/api/client.ts'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'
import classes from './staging.module.css'
import { confidenceWords, kindWords } from './taxonomy-words.ts'

type NameQuestionsProps = { questions: readonly TaxonomyQuestion[]; count: number }

/** Names that stay as text until somebody says, once and for all files, what they mean. */
export function NameQuestions({ questions, count }: NameQuestionsProps) {
  if (count === 0) return <Text size="sm">No name is unsure.</Text>
  return (
    <section aria-label="Unsure names">
      <Title order={4} size="h4">
        Unsure names ({formatCount(count)})
      </Title>
      <Text size="sm" className="second" mb="xs">
        They stay as they were typed and hold up nothing. Say what one means, then “Resolve again”.
        {count > questions.length && ` Those on most rows are shown: ${formatCount(questions.length)}.`}
      </Text>
      <ul className={classes.questions}>
        {questions.map((question) => (
          <Question
            key={JSON.stringify([question.kind, question.typed, question.manufacturerId])}
            question={question}
          />
        ))}
      </ul>
    </section>
  )
}

const NEW = 'new'

function Question({ question }: { question: TaxonomyQuestion }) {
  const { kind, typed, manufacturer, manufacturerId, candidates, reason, rows } = question
  const [meaning, setMeaning] = useState(candidates[0]?.id ?? NEW)
  const deciding = useMutation({
    mutationFn: () =>
      call(taxonomyEndpoints.decideName, {
        body: { kind, typed, manufacturerId, lookupId: meaning === NEW ? null : meaning },
      }),
    onError: (error) => notifyProblem(failureWords(error, FALLBACK), { about: 'taxonomy' }),
  })
  const choices = [
    ...candidates.map(({ id, name, confidence }) => ({
      value: id,
      label: `${name} (${confidenceWords(confidence)})`,
    })),
    { value: NEW, label: `A new name: ${typed}` },
  ]
  const what = `${kindWords[kind]} “${typed}”${manufacturer === null ? '' : ` of ${manufacturer}`}`
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
          <Button size="sm" variant="default" loading={deciding.isPending} onClick={() => deciding.mutate()}>
            Decide
          </Button>
        </div>
      )}
    </li>
  )
}

const FALLBACK = 'The name could not be decided. Try again.'
