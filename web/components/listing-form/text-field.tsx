import { Autocomplete, Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core'
import type { ListingField } from '#contract/listing-fields.ts'
import { useField } from './form-context.ts'

/** Below, so that the inputs of a row stand in one line. */
export const belowInput: NonNullable<TextInputProps['inputWrapperOrder']> = [
  'label',
  'input',
  'description',
  'error',
]

export function TextField({ field, ...props }: { field: ListingField } & TextInputProps) {
  const { input, set } = useField(field)
  return <TextInput {...input} onChange={(event) => set(event.currentTarget.value)} {...props} />
}

export function LongTextField({ field, ...props }: { field: ListingField } & TextareaProps) {
  const { input, set } = useField(field)
  return <Textarea autosize {...input} onChange={(event) => set(event.currentTarget.value)} {...props} />
}

export function ShippingField() {
  const { input, set } = useField('partshipping')
  return (
    <Autocomplete
      {...input}
      onChange={set}
      // The list would cover what is wrong with the field that a person is led to.
      openOnFocus={false}
      data={['Free', 'Flat $20', 'Pickup only']}
      // Three suggestions: all of them stay in sight whatever is typed.
      filter={({ options }) => options}
      placeholder="20"
      description="An amount, Free, Flat $20 or Pickup only"
      inputWrapperOrder={belowInput}
    />
  )
}
