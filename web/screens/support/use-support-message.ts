import { useState } from 'react'
import { siteEndpoints } from '#contract/site.ts'
import { call } from '#web/api/client.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { lineProblems } from '#web/components/line-problems.ts'
import { notifyError } from '#web/components/toasts.tsx'

type Message = { name: string; email: string; subject: string; message: string }

export function useSupportMessage() {
  const [state, setState] = useState<'writing' | 'sending' | 'sent'>('writing')
  const [problems, setProblems] = useState<ReturnType<typeof fieldProblems>>({})

  /** True once the server has it. */
  async function send(message: Message): Promise<boolean> {
    const unfit = lineProblems({ Name: message.name, Subject: message.subject })
    setProblems(unfit ?? {})
    if (unfit) return false
    setState('sending')
    try {
      await call(siteEndpoints.askSupport, { body: message })
      setState('sent')
      return true
    } catch (error) {
      setState('writing')
      setProblems(fieldProblems(error))
      notifyError(error, 'Your message could not be sent. Please try again.')
      return false
    }
  }

  return { send, state, problems, again: () => setState('writing') }
}
