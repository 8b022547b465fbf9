import { type FormEvent, useState } from 'react'
import { reviewReportReasons } from '#contract/pages/report-reasons.ts'
import { currentSession } from '#web/api/session.ts'
import { Button } from '#web/site/button.tsx'
import { SelectField, TextArea } from '#web/site/form/field.tsx'
import { Notice } from '#web/site/page.tsx'
import classes from './seller.module.css'

type Reply = { error?: string; fields?: Record<string, string> }

/** Sends the report as the signed-in user if there is one, so that a yard can report what is said about it. */
async function sendReport(id: string, form: FormData): Promise<string | undefined> {
  const { token } = currentSession()
  const response = await fetch(`/api/public/reviews/${id}/reports`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(Object.fromEntries(form)),
  }).catch(() => undefined)
  if (response?.ok) return undefined
  const reply: Reply | undefined = await response?.json().catch(() => undefined)
  return (reply?.fields?.reason && 'Choose a reason') || reply?.error || 'It could not be sent. Try again.'
}

/** The form of a report; it says so once it is sent. */
export function ReportForm({ id }: { id: string }) {
  const [state, setState] = useState<{ busy?: boolean; sent?: boolean; problem?: string | undefined }>({})
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (state.busy) return
    const form = new FormData(event.currentTarget)
    setState({ busy: true })
    const problem = await sendReport(id, form)
    setState(problem === undefined ? { sent: true } : { problem })
  }
  if (state.sent) return <p role="status">Thanks for reporting. We’ll look at this review.</p>
  return (
    <form className={classes.lines} noValidate onSubmit={(event) => void send(event)}>
      <SelectField label="What’s wrong with this review?" name="reason" defaultValue="">
        <option value="">Choose a reason</option>
        {Object.entries(reviewReportReasons).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextArea label="Details (optional)" name="text" rows={2} maxLength={2000} />
      {state.problem !== undefined && (
        <Notice tone="bad" role="alert">
          {state.problem}
        </Notice>
      )}
      <div>
        <Button type="submit" size="small" busy={state.busy === true}>
          Send report
        </Button>
      </div>
    </form>
  )
}
