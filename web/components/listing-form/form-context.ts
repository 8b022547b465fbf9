import type { UseFormReturnType } from '@mantine/form'
import { createContext, useContext } from 'react'
import type { ListingField, ListingKind } from '#contract/listing-fields.ts'
import { isRequired, labelOf } from './listing-problems.ts'
import type { ListingValues } from './listing-values.ts'

type FormSurroundings = {
  kind: ListingKind
  form: UseFormReturnType<ListingValues>
  /** Runs the rules on one field, as leaving it does. */
  checkField: (field: ListingField) => void
  disabled: boolean
  /** False where an admin has somebody else's listing in hand. */
  own: boolean
  /** Names of inputs that are not those of their fields. */
  inputNames: Partial<Record<ListingField, string>>
  /** The names of what the listing has chosen, in case the public lists lack them. */
  categoryName?: string | undefined
}

export const FormContext = createContext<FormSurroundings | undefined>(undefined)

export function useFormContext(): FormSurroundings {
  const surroundings = useContext(FormContext)
  if (!surroundings) throw new Error('A listing field stands outside a listing form')
  return surroundings
}

/** What every input of the form gets: label, required mark, value, error, and the check on leaving it. */
export function useField(field: ListingField) {
  const { kind, form, checkField, disabled, inputNames } = useFormContext()
  return {
    input: {
      name: inputNames[field] ?? field,
      label: labelOf(kind, field),
      required: isRequired(kind, field),
      value: form.values[field],
      error: form.errors[field],
      disabled,
      onBlur: () => checkField(field),
    },
    set: (text: string) => form.setFieldValue(field, text),
  }
}
