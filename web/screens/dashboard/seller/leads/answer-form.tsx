import { Button, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Lead } from '#contract/leads.ts'
import { ApiError, errorSentence } from '#web/api/failures.ts'
import { focusFirstProblem } from '#web/components/first-problem.ts'
import type { useLeadActions } from './use-leads.ts'

type AnswerFormProps = {
  lead: Lead
  answering: ReturnType<typeof useLeadActions>['answering']
  draft: string
  onDraft: (text: string) => void
}

/** Answers by mail; who left only a phone number is called. */
export function AnswerForm({ lead, answering, draft, onDraft }: AnswerFormProps) {
  const [missing, setMissing] = useState(false)
  if (lead.email === null) {
    return (
      <Text className="second">
        {lead.name} left only a phone number.
        {lead.state === 'new' && ' Call them, then mark the message as answered.'}
      </Text>
    )
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const empty = draft.trim() === ''
    setMissing(empty)
    answering.reset()
    if (empty) return focusFirstProblem(form)
    answering.mutate(draft.trim(), { onError: () => focusFirstProblem(form) })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Textarea
          label="Your answer"
          description={`Goes to ${lead.email} by e-mail. Their reply comes to your own mailbox.`}
          name="message"
          autosize
          minRows={4}
          maxRows={16}
          maxLength={5000}
          value={draft}
          error={missing ? 'Write an answer first' : failureOf(answering.error)}
          onChange={(event) => {
            setMissing(false)
            onDraft(event.currentTarget.value)
          }}
        />
        <Button type="submit" loading={answering.isPending} style={{ alignSelf: 'flex-start' }}>
          {lead.answers.length > 0 ? 'Send another answer' : 'Send answer'}
        </Button>
      </Stack>
    </form>
  )
}

function failureOf(error: unknown): string | undefined {
  if (!error) return undefined
  const beside = error instanceof ApiError ? error.fields.message : undefined
  return beside ?? errorSentence(error, 'Your answer could not be sent. Please try again.')
}
