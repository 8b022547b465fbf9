import { type ListingField, type ListingKind, specOf } from '#contract/listing/listing-fields.ts'
import {
  checkListing,
  fieldLabels,
  type ListingProblem,
  pictureMissing,
  requiredFields,
  vehicleFields,
} from '#contract/listing/listing-rules.ts'
import { bodyToCreate, bodyToUpdate, type ListingValues } from './listing-values.ts'

/** A form field; `image` is the picture. */
type FormField = ListingField | 'image'
export type FieldErrors = Partial<Record<FormField, string>>

export const labelOf = (kind: ListingKind, field: ListingField): string =>
  (kind === 'ecommerce' ? specOf(field).formLabel : undefined) ?? fieldLabels[field]

/** `universal`: the chosen category's parts need no vehicle. */
export const isRequired = (kind: ListingKind, field: ListingField, universal: boolean): boolean =>
  requiredFields[kind].includes(field) && !(universal && vehicleFields.has(field))

/** Fields without an input of their own. Their problems are shown at the input that sets them. */
const shownAt: Partial<Record<string, ListingField>> = {
  partmodelId: 'partmodel',
  partmanuname: 'partmanuId',
}

/** Maps problems to the inputs where the user can fix them. */
export function errorsBesideFields(kind: ListingKind, fields: Partial<Record<string, string>>): FieldErrors {
  const errors: FieldErrors = {}
  for (const [name, sentence] of Object.entries(fields)) {
    if (sentence === undefined) continue
    const place = (shownAt[name] ?? name) as FormField
    if (shownAt[name] && fields[place]) continue
    errors[place] = sentenceFor(kind, name, sentence)
  }
  return errors
}

function sentenceFor(kind: ListingKind, name: string, sentence: string): string {
  if (name === 'partmodelId') return 'Choose a model from the list'
  if (!(name in fieldLabels)) return sentence
  const field = name as ListingField
  // Sentences start with the API's field label. Use the input's own label instead.
  const about = `${fieldLabels[field]} `
  if (!sentence.startsWith(about)) return sentence
  return `${labelOf(kind, field)} ${sentence.slice(about.length)}`
}

export type FormToCheck = {
  kind: ListingKind
  values: ListingValues
  /** The saved values when editing. */
  before?: ListingValues | undefined
  hasPicture: boolean
  /** Whether the chosen category's parts need no vehicle. */
  universal?: boolean
}

/** The toast's sentence and one for each field, or undefined if the form is valid. */
export function problemOf({
  kind,
  values,
  before,
  hasPicture,
  universal,
}: FormToCheck): ListingProblem | undefined {
  const year = new Date().getFullYear()
  const found = before
    ? checkListing(kind, bodyToUpdate(kind, before, values), {
        mode: 'edit',
        year,
        stored: before,
        universal,
      })
    : checkListing(kind, bodyToCreate(kind, values), { mode: 'create', year, universal })
  const fields = errorsBesideFields(kind, found?.fields ?? {})
  if (kind === 'ecommerce' && !before && !hasPicture) {
    return { error: found?.error ?? pictureMissing, fields: { ...fields, image: pictureMissing } }
  }
  return found && { error: found.error, fields }
}
