import { NativeSelect, Switch, TextInput } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import type { FlagDefinition } from '#contract/scripts.ts'

type FlagControlProps = {
  name: string
  flag: FlagDefinition
  value: string | boolean
  onChange: (value: string | boolean) => void
  problem: string | undefined
}

/** One flag of a script, by its kind. */
export function FlagControl({ name, flag, value, onChange, problem }: FlagControlProps) {
  const plain = { name, label: flag.label, description: flag.help, error: problem }
  if (flag.kind === 'boolean') {
    return (
      <Switch
        {...plain}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  }
  if (flag.kind === 'select') {
    return (
      <NativeSelect
        {...plain}
        value={String(value)}
        data={[{ value: '', label: 'Not set' }, ...flag.options]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  const numeric = flag.kind === 'number' && {
    inputMode: 'numeric' as const,
    placeholder: flag.most === undefined ? `${flag.least} or more` : `${flag.least} to ${count(flag.most)}`,
  }
  return (
    <TextInput
      {...plain}
      {...numeric}
      value={String(value)}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

const count = (number: number) => number.toLocaleString('en-US')
