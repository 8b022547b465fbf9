import { type UseFormReturnType, useForm } from '@mantine/form'
import {
  createContext,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { ListingField, ListingKind } from '#contract/listing/listing-fields.ts'
import { ApiError } from '#web/api/failures.ts'
import { currentSession } from '#web/api/session.ts'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { useSingleRun } from '#web/components/form/use-single-run.ts'
import { useCategories } from '#web/components/listing-lookups/lookup-queries.ts'
import { type FormPicture, useFormPictures } from '#web/components/listing-picture/form-pictures.ts'
import { notifyError, notifyProblem } from '#web/components/toasts.tsx'
import { errorsBesideFields, isRequired, labelOf, problemOf } from './listing-problems.ts'
import { changedFields, type ListingValues, trimmedValue, trimmedValues } from './listing-values.ts'

export type FormContent = { values: ListingValues; pictures?: readonly FormPicture[] | undefined }

type ListingFormOptions = {
  kind: ListingKind
  /** The unchanged form. */
  start: FormContent
  /** A draft to show at first. */
  draft?: ListingValues | undefined
  /** The saved values when editing. */
  before?: ListingValues
  send: (values: ListingValues, pictures: readonly FormPicture[]) => Promise<void>
  /** True after saving, while the form still shows the saved values. */
  resting?: boolean
  /** The spec's sentence, used if the server sends none. */
  fallback: string
  /** Returns true if it shows the failure itself. */
  onFailure?: (error: unknown) => boolean
}

/** Groups the form's toasts: a new failure replaces the last one, and a success removes it. */
export const about = 'listing form'

/** A listing form's state: values, pictures, validation, submitting and server errors. */
export function useListingForm(use: ListingFormOptions) {
  const { kind } = use
  const form = useForm<ListingValues>({ initialValues: use.draft ?? use.start.values })
  const [origin, setOrigin] = useState(use.start)
  const pictures = useFormPictures(use.start.pictures ?? [], () => form.clearFieldError('image'))
  const [sending, run] = useSingleRun()
  const element = useRef<HTMLFormElement>(null)
  const focus = useRefusalFocus(sending, element)

  const check = useCheck(use)
  const problem = (values: ListingValues, chosen = pictures.list) => check(values, chosen.length > 0)

  const refuse = (error: unknown) => {
    if (use.onFailure?.(error)) return
    focus.refuse()
    if (error instanceof ApiError) form.setErrors(errorsBesideFields(kind, error.fields))
    notifyError(error, use.fallback, { about })
  }

  const submit = async () => {
    if (use.resting) return
    const values = trimmedValues(form.values)
    if (values !== form.values) form.setValues(values)
    if (pictures.isPreparing()) await run(async () => void (await pictures.settled()))
    const chosen = await pictures.settled()
    const found = problem(values, chosen)
    if (found) {
      form.setErrors(found.fields)
      if (element.current) focusFirstProblem(element.current)
      notifyProblem(found.error, { about })
      return
    }
    if (currentSession().token === undefined) {
      notifyProblem('You must be signed in', { about })
      return
    }
    focus.remember()
    await run(() => use.send(values, chosen).catch(refuse))
  }

  /** Checks a field on blur, unless it is empty and untouched. */
  const checkField = useSteady((field: ListingField) => {
    if (form.values[field].trim() === '' && !form.isTouched(field)) return
    const values = { ...form.values, [field]: trimmedValue(field, form.values[field]) }
    if (values[field] !== form.values[field]) form.setFieldValue(field, values[field])
    const sentence = problem(values)?.fields[field]
    if (sentence === undefined) form.clearFieldError(field)
    else form.setFieldError(field, sentence)
  })

  const textChanged = changedFields(kind, origin.values, form.values).length > 0
  return {
    form,
    pictures,
    busy: sending || use.resting === true,
    textChanged,
    changed: textChanged || pictures.changed,
    checkField,
    /** Shows `content`. Values that differ from `from` count as changed. */
    restart: (content: FormContent, from: FormContent = content) => {
      setOrigin(from)
      pictures.reset(content.pictures ?? [], from.pictures)
      form.setValues(content.values)
      form.clearErrors()
      form.resetTouched()
    },
    formProps: { ref: element, noValidate: true, ...submitEvents(submit) },
  }
}

function useCheck({ kind, before }: ListingFormOptions) {
  const isUniversal = useUniversal()
  return (values: ListingValues, hasPicture: boolean) =>
    problemOf({ kind, values, before, hasPicture, universal: isUniversal(values) })
}

/** Whether the category of a form's values needs no vehicle; false until the categories are loaded. */
function useUniversal(): (values: ListingValues) => boolean {
  const { data: categories } = useCategories()
  return ({ partcategoryId }) =>
    categories?.some(({ id, universal }) => universal && id === partcategoryId) === true
}

/** The same function at every render, for memoized inputs; it does what the last rendered one does. */
function useSteady<Args extends unknown[]>(act: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}

/** Ctrl+Enter and Cmd+Enter submit from anywhere, including text areas. */
const submitEvents = (submit: () => Promise<void>) => ({
  onSubmit: (event: FormEvent) => {
    event.preventDefault()
    void submit()
  },
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void submit()
  },
})

export type ListingFormState = ReturnType<typeof useListingForm>

type FormContextValue = {
  kind: ListingKind
  checkField: (field: ListingField) => void
  disabled: boolean
  /** False when an admin edits a seller's listing. */
  own: boolean
  /** Input names that differ from the field names. */
  inputNames: Partial<Record<ListingField, string>>
  /** The listing's category, in case the public list lacks it. */
  categoryName?: string | undefined
}

/** What a form is about. Sections read only this, so that they render once, and not with each letter as fields do. */
export const FormContext = createContext<FormContextValue | undefined>(undefined)
export const ValuesContext = createContext<UseFormReturnType<ListingValues> | undefined>(undefined)

export const useFormContext = (): FormContextValue => inForm(useContext(FormContext))
export const useFormValues = (): UseFormReturnType<ListingValues> => inForm(useContext(ValuesContext))

function inForm<Context>(context: Context | undefined): Context {
  if (!context) throw new Error('Listing fields must be inside a listing form')
  return context
}

/** The props of a field's input, and its setter; its functions stay the same while others are typed in. */
export function useField(field: ListingField) {
  const { kind, checkField, disabled, inputNames } = useFormContext()
  const form = useFormValues()
  const isUniversal = useUniversal()
  const { setFieldValue } = form
  const onBlur = useCallback(() => checkField(field), [checkField, field])
  const set = useCallback((text: string) => setFieldValue(field, text), [setFieldValue, field])
  return {
    input: {
      name: inputNames[field] ?? field,
      label: labelOf(kind, field),
      required: isRequired(kind, field, isUniversal(form.values)),
      value: form.values[field],
      error: form.errors[field],
      disabled,
      onBlur,
    },
    set,
  }
}

/**
 * Focuses the first problem after the server refused the form, or else the element that had focus before. Waits until
 * the request is over, because fields are disabled until then.
 */
function useRefusalFocus(sending: boolean, form: RefObject<HTMLFormElement | null>) {
  const refused = useRef(false)
  const before = useRef<Element>(null)
  useEffect(() => {
    if (sending || !refused.current) return
    refused.current = false
    const former = before.current instanceof HTMLElement ? before.current : null
    if (form.current) focusFirstProblem(form.current, former)
  }, [sending, form])
  return {
    remember: () => {
      before.current = document.activeElement
    },
    refuse: () => {
      refused.current = true
    },
  }
}
