import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { plainNumber } from '#contract/text/typed-number.ts'

type NumberFieldProps = Omit<TextInputProps, 'value' | 'onChange' | 'min' | 'max' | 'type'> & {
  value: number | undefined
  /** Undefined while the text is not a number, or not an allowed one. */
  onChange: (value: number | undefined) => void
  min: number
  max: number
  /** The most digits behind the point. */
  decimals?: number
  /** Before the number, such as "$". */
  prefix?: string
  /** Behind it, such as "%". */
  suffix?: string
}

/**
 * An input for a number. The text stays as typed: an input that stores only numbers becomes empty at the point of
 * "19.75", and the next digits would make another price.
 */
export function NumberField({
  value,
  onChange,
  min,
  max,
  decimals = 0,
  prefix,
  suffix,
  ...props
}: NumberFieldProps) {
  const [typed, setTyped] = useState({ text: textOf(value), value })
  // Set from outside since.
  const text = value === typed.value || value === undefined ? typed.text : textOf(value)
  const isWrong = text.trim() !== '' && readNumber(text, { min, max, decimals }) === undefined
  return (
    <TextInput
      inputMode={keysFor({ min, decimals })}
      autoComplete="off"
      leftSection={prefix}
      rightSection={suffix}
      {...props}
      value={text}
      onChange={(event) => {
        const text = event.currentTarget.value
        const value = readNumber(text, { min, max, decimals })
        setTyped({ text, value })
        onChange(value)
      }}
      error={props.error ?? (isWrong && ruleOf({ min, max, decimals }))}
    />
  )
}

/** Number keyboards on phones have no minus sign. */
function keysFor({ min, decimals }: Pick<Allowed, 'min' | 'decimals'>) {
  if (min < 0) return 'text'
  return decimals > 0 ? 'decimal' : 'numeric'
}

type Allowed = { min: number; max: number; decimals: number }

function readNumber(text: string, { min, max, decimals }: Allowed): number | undefined {
  const plain = plainNumber(text)
  if (plain === undefined || (plain.split('.')[1] ?? '').length > decimals) return undefined
  const number = Number(plain)
  return number >= min && number <= max ? number : undefined
}

const textOf = (value: number | undefined) => (value === undefined ? '' : String(value))

function ruleOf({ min, max, decimals }: Allowed): string {
  const range = `from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`
  return decimals === 0 ? `Enter a whole number ${range}` : `Enter a number ${range}, such as 19.75`
}
