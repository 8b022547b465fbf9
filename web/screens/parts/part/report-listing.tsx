import { IconFlag } from '@tabler/icons-react'
import { reportReasons } from '#contract/pages/report-reasons.ts'
import { Button } from '#web/site/button.tsx'
import { SelectField, TextArea, TextField } from '#web/site/form/field.tsx'
import { INTENT, useSentForm } from '#web/site/form/sent-form.ts'
import { Notice } from '#web/site/page.tsx'
import classes from './part.module.css'

/** The id of its place in the page. */
export const REPORT = 'report'

/** Anyone can report a listing, without an account and without script. */
export function ReportListing() {
  const { Form, form, busy, sent, typed, problems, error } = useSentForm('report')
  if (sent) {
    return (
      <Notice tone="information" role="status">
        Thanks for reporting. We’ll review this listing.
      </Notice>
    )
  }
  return (
    <details className={classes.report} open={'reason' in typed}>
      <summary>
        <IconFlag size={16} aria-hidden /> Report this listing
      </summary>
      <Form
        method="post"
        action={`#${REPORT}`}
        ref={form}
        noValidate
        className={classes.card}
        aria-label="Report this listing"
      >
        <input type="hidden" name={INTENT} value="report" />
        <div className={classes.stack}>
          <SelectField
            label="What’s wrong with this listing?"
            name="reason"
            defaultValue={typed.reason}
            error={problems.reason && 'Choose a reason'}
          >
            <option value="">Choose a reason</option>
            {Object.entries(reportReasons).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
          <TextArea
            label="Details (optional)"
            name="text"
            rows={3}
            maxLength={2000}
            defaultValue={typed.text}
            error={problems.text}
          />
          <TextField
            label="Your email (optional)"
            description="For a reply, and to confirm your report: we email you a link. The seller won’t see it."
            name="email"
            type="email"
            autoComplete="email"
            maxLength={254}
            defaultValue={typed.email}
            error={problems.email}
          />
          {error !== undefined && (
            <Notice tone="bad" role="alert">
              {error}
            </Notice>
          )}
          <div>
            <Button type="submit" busy={busy}>
              Send report
            </Button>
          </div>
        </div>
      </Form>
    </details>
  )
}
