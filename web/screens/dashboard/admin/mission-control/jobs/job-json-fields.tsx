import { Textarea } from '@mantine/core'
import type { fieldProblems } from '#web/api/failures.ts'
import { invalidJson } from './job-json.ts'
import classes from './jobs.module.css'
import type { JobJsonControls } from './use-job-json.ts'

type JobJsonFieldsProps = {
  json: JobJsonControls
  /** What the server said to a field. */
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
