import { Checkbox, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Queue } from '#contract/admin/automation.ts'
import { parseRecord } from '#web/api/browser-storage.ts'
import type { fieldProblems } from '#web/api/failures.ts'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import classes from './jobs.module.css'

type QueueFieldProps = {
  queues: readonly Queue[]
  value: string
  onChange: (queue: string) => void
  error: string | true | undefined
}

/** One of the known queues, or free text while none are loaded. */
export function QueueField({ queues, value, onChange, error }: QueueFieldProps) {
  if (queues.length === 0) {
    return (
      <TextInput
        label="Queue"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        autoComplete="off"
        spellCheck={false}
      />
    )
  }
  const keys = queues.map(({ key }) => key)
  return (
    <NativeSelect
      label="Queue"
      data={keys.includes(value) ? keys : [value, ...keys]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  )
}

type Plain = string | number | boolean

const isPlain = (value: unknown): value is Plain => ['string', 'number', 'boolean'].includes(typeof value)

/** Separate inputs for the payload's plain values and the attempts. Nested values stay in the JSON. */
export function JobTypedFields({ json: { texts, write }, problems }: JobJsonFieldsProps) {
  const { payload, options } = parseJobJson(texts)
  if (!payload || !options) return <Text role="alert">{invalidJson}. Switch to JSON to correct it.</Text>
  const set = (name: string, value: Plain) => write({ payload: jsonText({ ...payload, [name]: value }) })
  const nested = Object.keys(payload).filter((name) => !isPlain(payload[name]))
  return (
    <>
      {Object.entries(payload).map(
        ([name, value]) =>
          isPlain(value) && (
            <PlainField key={name} name={name} value={value} onChange={(to) => set(name, to)} />
          ),
      )}
      {nested.length > 0 && (
        <Text size="sm" className="second">
          Only in JSON: {nested.join(', ')}
        </Text>
      )}
      {problems.payload !== undefined && problems.payload !== true && (
        <Text c="var(--mantine-color-error)">{problems.payload}</Text>
      )}
      <PlainField
        name="attempts"
        value={isPlain(options.attempts) ? options.attempts : 1}
        onChange={(attempts) => write({ options: jsonText({ ...options, attempts }) })}
        error={problems.options}
      />
    </>
  )
}

type PlainFieldProps = {
  name: string
  value: Plain
  onChange: (value: Plain) => void
  error?: string | true | undefined
}

function PlainField({ name, value, onChange, error }: PlainFieldProps) {
  // Sent as a number only if the text is one; otherwise the server's message explains the problem.
  const [isNumber] = useState(typeof value === 'number')
  if (typeof value === 'boolean') {
    return (
      <Checkbox label={name} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
    )
  }
  const read = (text: string) => (isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text)
  return (
    <TextInput
      label={name}
      value={String(value)}
      error={error}
      inputMode={isNumber ? 'numeric' : 'text'}
      onChange={(event) => onChange(read(event.currentTarget.value))}
      autoComplete="off"
      spellCheck={false}
    />
  )
}

type JobJsonFieldsProps = {
  json: JobJsonControls
  problems: ReturnType<typeof fieldProblems>
}

const fields = [
  { name: 'payload', label: 'Payload JSON', rows: 6 },
  { name: 'options', label: 'Options JSON', rows: 2 },
] as const

export function JobJsonFields({ json: { texts, wrong, write }, problems }: JobJsonFieldsProps) {
  return fields.map(({ name, label, rows }) => (
    <Textarea
      key={name}
      label={label}
      value={texts[name]}
      onChange={(event) => write({ [name]: event.currentTarget.value })}
      error={wrong[name] ? invalidJson : problems[name]}
      classNames={{ input: classes.mono ?? '' }}
      autosize
      minRows={rows}
      maxRows={20}
      spellCheck={false}
      autoComplete="off"
    />
  ))
}

export type JobBody = { payload: Record<string, unknown>; options: Record<string, unknown> }
type Sending = { isPending: boolean; mutate: (body: JobBody, options: { onError: () => void }) => void }

/** Payload and options as editable text. `submit` sends the objects, or focuses the first invalid field. */
export function useJobJson(first: JobJson) {
  const [texts, setTexts] = useState(first)
  const [wrong, setWrong] = useState({ payload: false, options: false })
  return {
    texts,
    wrong,
    isChanged: texts.payload !== first.payload || texts.options !== first.options,
    write: (part: Partial<JobJson>) => {
      setTexts((before) => ({ ...before, ...part }))
      setWrong({ payload: false, options: false })
    },
    submit: (sending: Sending) => (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      if (sending.isPending) return
      const form = event.currentTarget
      const onError = () => focusFirstProblem(form)
      const { payload, options } = parseJobJson(texts)
      if (payload && options) return sending.mutate({ payload, options }, { onError })
      setWrong({ payload: payload === undefined, options: options === undefined })
      onError()
    },
  }
}
type JobJsonControls = ReturnType<typeof useJobJson>

/** Given by the spec. */
const invalidJson = 'Invalid JSON in payload or options'

type JobJson = { payload: string; options: string }

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)

/** Undefined for a text that is not a JSON object; an empty text is an empty object. */
export const parseJobJson = ({ payload, options }: JobJson) => ({
  payload: parseRecord(payload.trim() || '{}'),
  options: parseRecord(options.trim() || '{}'),
})
