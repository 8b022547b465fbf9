import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/site/button.tsx'
import { TextArea, TextField } from '#web/site/form/field.tsx'
import { INTENT, useSentForm } from '#web/site/form/sent-form.ts'
import { Head } from '#web/site/head.tsx'
import { Empty, Notice, Page } from '#web/site/page.tsx'
import classes from './support.module.css'

export function Component() {
  return (
    <Page heading="Technical Support" lead="Email our support team. We reply by email." width="text">
      <Head
        title="Technical Support"
        description="Email our support team. We reply by email."
        canonical={paths.support}
      />
      <SupportForm />
    </Page>
  )
}

function SupportForm() {
  const { user } = useSession()
  const { Form, form, busy, sent, writeAnother, typed, problems, error } = useSentForm('support')
  if (sent) {
    return (
      <Empty
        title="Message sent"
        text={`We will reply to ${sent.email}.`}
        action={<Button onClick={writeAnother}>Write another message</Button>}
      />
    )
  }
  return (
    <>
      <p className="second">
        You may find the answer in the{' '}
        <Link to={paths.help} className={classes.inText}>
          support articles
        </Link>
        .
      </p>
      <Form method="post" ref={form} noValidate className={classes.form} key={user?.id ?? 'visitor'}>
        <input type="hidden" name={INTENT} value="support" />
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          required
          defaultValue={typed.name ?? user?.name}
          error={problems.name}
        />
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          required
          defaultValue={typed.email ?? user?.email}
          error={problems.email}
        />
        <TextField
          label="Subject"
          name="subject"
          maxLength={160}
          required
          defaultValue={typed.subject}
          error={problems.subject}
        />
        <TextArea
          label="Message"
          description="Include the listing’s link, or the text of the error message."
          name="message"
          rows={8}
          maxLength={5000}
          required
          defaultValue={typed.message}
          error={problems.message}
        />
        {error !== undefined && (
          <Notice tone="bad" role="alert">
            {error}
          </Notice>
        )}
        <div>
          <Button type="submit" look="filled" busy={busy}>
            Send message
          </Button>
        </div>
      </Form>
    </>
  )
}
