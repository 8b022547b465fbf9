import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { automationEndpoints, LONGEST_LINE } from '#contract/automation.ts'
import { call } from '#web/api/client.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'
import classes from './preprocess.module.css'

type CommandBoxProps = {
  /** The job that takes what is sent; none while there is none that listens. */
  jobId: string | undefined
  onClose: () => void
}

/** A line for the input of the running script. */
export function CommandBox({ jobId, onClose }: CommandBoxProps) {
  const [line, setLine] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const sending = useMutation({
    mutationFn: (sent: { id: string; data: string }) =>
      call(automationEndpoints.controlJob, {
        params: { id: sent.id },
        body: { action: 'stdin', data: sent.data },
      }),
    onSuccess: () => setLine(''),
    onError: (error) => notifyProblem(failureWords(error, 'Failed to send manual command')),
    onSettled: () => field.current?.focus(),
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (jobId !== undefined && !sending.isPending) sending.mutate({ id: jobId, data: line })
  }
  return (
    <form className={classes.command} onSubmit={send}>
      <TextInput
        ref={field}
        label="Manual command"
        description="One line for the input of the running script"
        value={line}
        maxLength={LONGEST_LINE}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setLine(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={jobId === undefined} loading={sending.isPending}>
        Send
      </Button>
      <Button variant="subtle" color="gray" onClick={onClose}>
        Close
      </Button>
    </form>
  )
}
