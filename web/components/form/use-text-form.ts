import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { ApiError } from '#web/api/failures.ts'
import { focusFirstProblem } from './problems.ts'

type Problems = Readonly<Record<string, string | true>>

type TextForm<Values, Result> = {
  start: Values
  /** Problems by field, found before sending. */
  check?: (values: Values) => Problems | undefined
  send: (values: Values) => Promise<Result>
  onSent?: (result: Result, values: Values) => unknown
  onFailed?: (error: Error) => void
  /** The problems by field after a failure; defaults to the server's sentences. */
  problemsOf?: (error: Error) => Problems
}

const serverProblems = (error: Error): Problems => (error instanceof ApiError ? error.fields : {})

/** A form of text fields: their values, their problems and the request that sends them. */
export function useTextForm<Values extends Record<string, string>, Result>({
  start,
  check,
  send,
  onSent,
  onFailed,
  problemsOf = serverProblems,
}: TextForm<Values, Result>) {
  const [values, setValues] = useState(start)
  const [found, setFound] = useState<Problems>({})
  const [mended, setMended] = useState<readonly string[]>([])
  const request = useMutation({
    mutationFn: send,
    onSuccess: (result, sent) => onSent?.(result, sent),
    onError: (error) => onFailed?.(error),
  })
  const problems = Object.fromEntries(
    Object.entries(request.error ? problemsOf(request.error) : found).filter(
      ([name]) => !mended.includes(name),
    ),
  )
  const change = (name: string, { value, validity }: HTMLInputElement | HTMLTextAreaElement) => {
    const changed = { ...values, [name]: value }
    setValues(changed)
    // A problem disappears as soon as the value passes the form's own checks.
    const isRight = validity.valid && check?.(changed)?.[name] === undefined
    setMended(isRight ? [...mended, name] : mended.filter((each) => each !== name))
  }
  return {
    values,
    setValues,
    request,
    problems,
    field: (name: keyof Values & string, required = true) => ({
      name,
      value: values[name],
      error: problems[name],
      required,
      withAsterisk: false,
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        change(name, event.currentTarget),
    }),
    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      const form = event.currentTarget
      setMended([])
      const unfit = check?.(values)
      setFound(unfit ?? {})
      if (unfit) {
        request.reset()
        focusFirstProblem(form)
      } else request.mutate(values, { onError: () => focusFirstProblem(form) })
    },
  }
}
