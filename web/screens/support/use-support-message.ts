import { useState } from 'react'
import { siteEndpoints } from '#contract/site.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { notifyError } from '#web/components/toasts.tsx'

type Message = { name: string; email: string; subject: string; message: string }

export function useSupportMessage() {
  const [state, setState] = useState<'writing' | 'sending' | 'sent'>('writing')
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})

  /** True once the server has it. What is wrong with a field stands beside it; anything else is a toast. */
  async function send(message: Message): Promise<boolean> {
    setState('sending')
    setProblems({})
    try {
      await call(siteEndpoints.askSupport, { body: message })
      setState('sent')
      return true
    } catch (error) {
      setState('writing')
      const fields = error instanceof ApiError ? error.fields : {}
      setProblems(fields)
      if (Object.keys(fields).length === 0)
        notifyError(error, 'Your message could not be sent. Please try again.')
      return false
    }
  }

  return { send, state, problems, again: () => setState('writing') }
}
