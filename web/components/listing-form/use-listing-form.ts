import { type UseFormReturnType, useForm } from '@mantine/form'
import {
  createContext,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
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
import { notifyError, notifyProblem } from '#web/components/toasts.tsx'
import { errorsBesideFields, type FieldErrors, isRequired, labelOf, problemOf } from './listing-problems.ts'
import { changedFields, type ListingValues } from './listing-values.ts'

export type FormContent = { values: ListingValues; picture?: File | undefined }

type FormUse = {
  kind: ListingKind
  /** What the form begins with: nothing is changed yet. */
  start: FormContent
  /** A draft of it that is shown at first. */
  draft?: ListingValues | undefined
  /** The listing as it was read, when one is edited. */
  before?: ListingValues
  send: (values: ListingValues, picture: File | undefined) => Promise<void>
  /** True while the form only shows what was sent. */
  resting?: boolean
  /** The spec's sentence for a failure without one of the server's. */
  fallback: string
  /** True where the failure is shown in another way than by its sentence. */
  onFailure?: (error: unknown) => boolean
}

/** One failure of the form at a time: the next one takes the former's place. */
const about = 'listing form'

/** The life of a listing form: values, picture, checks beside the fields, one submit at a time, the server's answer. */
export function useListingForm(use: FormUse) {
  const { kind, before } = use
  const form = useForm<ListingValues>({ initialValues: use.draft ?? use.start.values })
  const [origin, setOrigin] = useState(use.start)
  const [picture, setPicture] = useState(use.start.picture)
  const [sending, run] = useSingleRun()
  const element = useRef<HTMLFormElement>(null)
  const focus = useRefusalFocus(sending, element)

  const problem = () => problemOf({ kind, values: form.values, before, hasPicture: picture !== undefined })
  const mark = (fields: FieldErrors) => {
    form.setErrors(fields)
    if (element.current) focusFirstProblem(element.current)
  }

  const refuse = (error: unknown) => {
    if (use.onFailure?.(error)) return
    focus.refuse()
    if (error instanceof ApiError) form.setErrors(errorsBesideFields(kind, error.fields))
    notifyError(error, use.fallback, { about })
  }

  const submit = async () => {
    if (use.resting) return
    const found = problem()
    if (found) {
      mark(found.fields)
      notifyProblem(found.error, { about })
      return
    }
    if (currentSession().token === undefined) {
      notifyProblem('You must be signed in', { about })
      return
    }
    focus.remember()
    await run(() => use.send(form.values, picture).catch(refuse))
  }

  return {
    form,
    picture,
    busy: sending || use.resting === true,
    /** Whether the form holds anything that it did not begin with. */
    changed: picture !== origin.picture || changedFields(kind, origin.values, form.values).length > 0,
    /** Leaving a field checks it, but an untouched empty one is not complained about yet. */
    checkField: (field: ListingField) => {
      if (form.values[field].trim() === '' && !form.isTouched(field)) return
      const sentence = problem()?.fields[field]
      if (sentence === undefined) form.clearFieldError(field)
      else form.setFieldError(field, sentence)
    },
    choosePicture: (file: File | undefined) => {
      setPicture(file)
      form.clearFieldError('image')
    },
    refusePicture: (sentence: string) => form.setFieldError('image', sentence),
    /** Shows `content`; what differs from `from` counts as changed. */
    restart: (content: FormContent, from: FormContent = content) => {
      setOrigin(from)
      setPicture(content.picture)
      form.setValues(content.values)
      form.clearErrors()
      form.resetTouched()
    },
    formProps: { ref: element, noValidate: true, ...submitEvents(submit) },
  }
}

/** Enter in a field and the button submit; so do Ctrl+Enter and Cmd+Enter from anywhere, a long text too. */
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

/**
 * Puts the focus where the person can go on after the server's no. Disabled fields cannot take it, so it waits until
 * the form is no longer being sent; where no field is marked, it goes back to where it was.
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
