import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useSession } from '#web/api/session.ts'
import { Button } from '#web/site/button.tsx'
import { TextField } from '#web/site/form/field.tsx'
import classes from './buy-box.module.css'

/** Asks for an email if the part is for sale again. */
export function WatchPart({ slug }: { slug: string }) {
  const { user } = useSession()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [sentTo, setSentTo] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    setBusy(true)
    const response = await fetch(`/api/parts/${encodeURIComponent(slug)}/held-watch`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    }).catch(() => undefined)
    const reply = await response?.json().catch(() => undefined)
    setBusy(false)
    if (response?.ok) setSentTo(email)
    else setProblem(reply?.fields?.email ?? reply?.error ?? 'It could not be sent. Please try again.')
  }
  if (sentTo !== undefined) {
    return <p role="status">If it comes back, we email {sentTo}. Once, and nothing else.</p>
  }
  return (
    <form ref={form} className={classes.zip} noValidate onSubmit={(event) => void send(event)}>
      <TextField
        label="Your email"
        name="email"
        type="email"
        autoComplete="email"
        maxLength={254}
        defaultValue={user?.email}
        error={problem}
      />
      <Button type="submit" busy={busy}>
        Tell me
      </Button>
    </form>
  )
}
