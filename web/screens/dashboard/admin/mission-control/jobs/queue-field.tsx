import { NativeSelect, TextInput } from '@mantine/core'
import type { Queue } from '#contract/automation.ts'

type QueueFieldProps = {
  queues: readonly Queue[]
  value: string
  onChange: (queue: string) => void
  error: string | true | undefined
}

/** One of the queues there are; free text while none is known. */
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
