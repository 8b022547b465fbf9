import { useState } from 'react'
import type { Conversation } from '#contract/pages/conversations.ts'
import type { routes } from '#contract/routes.ts'

/* The calls of the buyer's page, without the contract's own client, whose schemas are 60 kB. */

type Path = Extract<(typeof routes)[keyof typeof routes][1], `/messages/${string}`>

export type Refusal = { code?: string; error: string; fields?: Record<string, string> }
type Outcome<T> = { done: T } | { refusal: Refusal }

export async function send<T>(path: Path, body: object, signal?: AbortSignal): Promise<Outcome<T>> {
  const response = await fetch(`/api${path}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: signal ?? null,
  }).catch(() => undefined)
  const reply = await response?.json().catch(() => undefined)
  if (response?.ok && reply) return { done: reply as T }
  return { refusal: { ...reply, error: reply?.error || 'No response from the server. Please try again.' } }
}

export type Sending = {
  /** The form or button that is sending. */
  busy: string | undefined
  refused: (Refusal & { by: string }) | undefined
  /** Sends a form's content and returns whether it worked. */
  write: (by: string, path: Path, body: object) => Promise<boolean>
}

/** Sends the buyer's input, one request at a time; the reply is the updated conversation. */
export function useSending(token: string, onWritten: (conversation: Conversation) => void): Sending {
  const [busy, setBusy] = useState<string>()
  const [refused, setRefused] = useState<Sending['refused']>()
  const write = async (by: string, path: Path, body: object) => {
    if (busy !== undefined) return false
    setBusy(by)
    setRefused(undefined)
    const outcome = await send<Conversation>(path, { token, ...body })
    setBusy(undefined)
    if ('done' in outcome) onWritten(outcome.done)
    else setRefused({ ...outcome.refusal, by })
    return 'done' in outcome
  }
  return { busy, refused, write }
}
