import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError, errorSentence } from '#web/api/failures.ts'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { keepPlace, placesAround } from './keep-place.ts'

export type Sending = { isPending: boolean; error: Error | null; reset: () => void }

type StepDialogProps = {
  title: string
  /** The button's label. */
  submit: string
  destroys?: boolean
  /** Enter takes the step: there is nothing to fill in. */
  isReady?: boolean
  sending: Sending
  onClose: () => void
  onSubmit: (form: FormData) => void
  children: ReactNode
}

/** A small form for one step of an order. The server's problems are beside their fields, any other below them. */
export function StepDialog(props: StepDialogProps) {
  const { title, submit, destroys = false, isReady = false, sending, onClose, onSubmit, children } = props
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(new FormData(event.currentTarget))
  }
  useWayBack()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (sending.error !== null && form.current) focusFirstProblem(form.current)
  }, [sending.error])
  const problem = problemBesideFields(sending.error)
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        ref={form}
        onSubmit={submitForm}
        // What was refused is being changed.
        onInput={() => sending.error !== null && sending.reset()}
        noValidate
      >
        <Stack gap="md">
          {children}
          {problem !== undefined && (
            <Text role="alert" c="var(--mantine-color-error)">
              {problem}
            </Text>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={sending.isPending}
              color={destroys ? 'bad' : 'rust'}
              data-autofocus={isReady || undefined}
            >
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** The dialog is gone as soon as it closes, so it cannot give the focus back by itself. */
function useWayBack() {
  const [places] = useState(() => placesAround(document.activeElement))
  useEffect(() => () => keepPlace(places), [places])
}

function problemBesideFields(error: Error | null): string | undefined {
  if (error === null) return undefined
  if (error instanceof ApiError && Object.keys(error.fields).length > 0) return undefined
  return errorSentence(error, 'This could not be saved. Please try again.')
}

/** The server's sentence about a field. */
export const problemOf = (error: Error | null, field: string): string | undefined =>
  error instanceof ApiError ? error.fields[field] : undefined
