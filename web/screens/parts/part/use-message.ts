import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type BuyerMessage, leadEndpoints } from '#contract/leads.ts'
import { call } from '#web/api/client.ts'
import { ApiError, errorSentence } from '#web/api/failures.ts'
import { type DraftProblems, type MessageDraft, readDraft } from './message-draft.ts'

const noProblems: DraftProblems = {}

/** Sends a buyer's message. What is wrong stands beside its field, and else in `failure`: a sentence for the form. */
export function useMessage(slug: string) {
  const [problems, setProblems] = useState(noProblems)
  const sending = useMutation({
    mutationFn: (body: BuyerMessage) => call(leadEndpoints.writeToSeller, { params: { slug }, body }),
    onError: (error) => setProblems(error instanceof ApiError ? error.fields : noProblems),
  })

  /** True once the server has it. */
  async function send(draft: MessageDraft): Promise<boolean> {
    const read = readDraft(draft)
    setProblems('problems' in read ? read.problems : noProblems)
    if ('problems' in read) {
      sending.reset()
      return false
    }
    return sending.mutateAsync(read.body).then(
      () => true,
      () => false,
    )
  }

  const besideFields = Object.keys(problems).length > 0
  return {
    send,
    problems,
    sending: sending.isPending,
    sent: sending.isSuccess,
    again: sending.reset,
    failure: sending.error && !besideFields ? failureWords(sending.error) : undefined,
  }
}

function failureWords(error: unknown): string {
  // The page still shows the part as it was when it was opened.
  if (error instanceof ApiError && error.status === 404) {
    return 'Your message was not sent: this part is no longer for sale.'
  }
  return errorSentence(error, 'Your message could not be sent. Please try again.')
}
