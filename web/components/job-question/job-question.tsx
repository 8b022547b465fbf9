import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import {
  automationEndpoints,
  LONGEST_LINE,
  type JobQuestion as Question,
} from '#contract/admin/automation.ts'
import { call } from '#web/api/client.ts'
import { notifyError } from '#web/components/toasts.tsx'
import classes from './job-question.module.css'
import {
  answerOf,
  presetsOf,
  type QuestionField,
  type QuestionValues,
  questionFields,
} from './question-fields.ts'

type JobQuestionProps = { jobId: string; question: Question }

/** A script's question: a form if it declared the answer's fields, otherwise one line of text. */
export function JobQuestion({ jobId, question }: JobQuestionProps) {
  const fields = questionFields(question.schema)
  const answering = useAnswer(jobId, question.key)
  const titleId = useId()
  // A question repeated because of a problem (key#2) keeps what was entered.
  const key = question.key.replace(/#\d+$/, '')
  const form = { titleId, sending: answering.isPending, onAnswer: (text: string) => answering.mutate(text) }
  return (
    <section className={classes.question} aria-labelledby={titleId}>
      <Stack gap="sm">
        <div role="status">
          <Text fw={650} id={titleId}>
            {question.text}
          </Text>
          {question.problem !== null && (
            <Text size="sm" className={classes.problem}>
              {question.problem}
            </Text>
          )}
        </div>
        {fields ? <FieldsForm key={key} fields={fields} {...form} /> : <LineForm key={key} {...form} />}
      </Stack>
    </section>
  )
}

/** Sends an answer; the job's next event shows that it continues. */
function useAnswer(jobId: string, question: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (data: string) =>
      call(automationEndpoints.controlJob, {
        params: { id: jobId },
        body: { action: 'stdin', data, question },
      }),
    onError: (error) => notifyError(error, 'Failed to send manual command'),
    // Also after a refusal: another admin may have answered.
    onSettled: () => client.invalidateQueries({ queryKey: ['automation'] }),
  })
}

type FormProps = { titleId: string; sending: boolean; onAnswer: (text: string) => void }

function LineForm({ titleId, sending, onAnswer }: FormProps) {
  const [line, setLine] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAnswer(line)
  }
  return (
    <form onSubmit={submit}>
      <Group gap="sm" wrap="nowrap">
        <TextInput
          flex={1}
          aria-labelledby={titleId}
          value={line}
          maxLength={LONGEST_LINE}
          autoComplete="off"
          onChange={(event) => setLine(event.currentTarget.value)}
        />
        <Button type="submit" loading={sending}>
          Send answer
        </Button>
      </Group>
    </form>
  )
}

function FieldsForm({ fields, titleId, sending, onAnswer }: FormProps & { fields: QuestionField[] }) {
  const [values, setValues] = useState(() => presetsOf(fields))
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const change = (name: string, value: string | boolean) => {
    setValues({ ...values, [name]: value })
    setProblems({ ...problems, [name]: '' })
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const answer = answerOf(fields, values)
    if ('text' in answer) return onAnswer(answer.text)
    setProblems(answer.problems)
    const first = fields.find(({ name }) => answer.problems[name] !== undefined)
    event.currentTarget.querySelector<HTMLElement>(`[name="${CSS.escape(first?.name ?? '')}"]`)?.focus()
  }
  return (
    <form onSubmit={submit} noValidate aria-labelledby={titleId}>
      <Stack gap="sm">
        {fields.map((field) => (
          <Field key={field.name} {...{ field, values, change }} problem={problems[field.name] ?? ''} />
        ))}
        <div>
          <Button type="submit" loading={sending}>
            Send answer
          </Button>
        </div>
      </Stack>
    </form>
  )
}

type FieldProps = {
  field: QuestionField
  values: QuestionValues
  change: (name: string, value: string | boolean) => void
  problem: string
}

function Field({ field, values, change, problem }: FieldProps) {
  const { name, label, required } = field
  const plain = { name, label, description: field.help, error: problem }
  if (field.kind === 'boolean') {
    return (
      <Checkbox
        {...plain}
        checked={values[name] === true}
        onChange={(event) => change(name, event.currentTarget.checked)}
      />
    )
  }
  const value = String(values[name] ?? '')
  if (field.kind === 'choice') {
    const none = required && field.preset !== '' ? [] : [{ value: '', label: 'Choose…' }]
    return (
      <NativeSelect
        {...plain}
        required={required}
        value={value}
        data={[...none, ...field.options]}
        onChange={(event) => change(name, event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      {...plain}
      required={required}
      value={value}
      autoComplete="off"
      {...(field.kind === 'number'
        ? { inputMode: field.whole ? ('numeric' as const) : ('decimal' as const) }
        : { maxLength: field.longest })}
      onChange={(event) => change(name, event.currentTarget.value)}
    />
  )
}
