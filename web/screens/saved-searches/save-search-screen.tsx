import { Link, useLoaderData, useLocation } from 'react-router'
import type { SearchToSave } from '#contract/pages/public-pages.ts'
import { useSession } from '#web/api/session.ts'
import { paths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/site/button.tsx'
import { SelectField, TextField } from '#web/site/form/field.tsx'
import { INTENT, useSentForm } from '#web/site/form/sent-form.ts'
import { Head } from '#web/site/head.tsx'
import { Empty, Notice, Page } from '#web/site/page.tsx'
import classes from './save-search.module.css'

/** A page of its own, so that it works without script and the list stays light. */
export function Component() {
  const { title, problem } = useLoaderData<SearchToSave>()
  const { search } = useLocation()
  return (
    <Page
      heading="Email me when one is listed"
      lead="We email you when a part like this is listed, and nothing else."
      width="text"
    >
      <Head
        title="Save a search"
        description="Save a search, and we email you when a matching part is listed."
        canonical={paths.saveSearch}
        noindex
      />
      {problem === null ? (
        <SaveForm key={search} title={title} query={search.slice(1)} />
      ) : (
        <Notice tone="information">
          {problem} <Link to={paths.parts + search}>Back to the search</Link>
        </Notice>
      )}
    </Page>
  )
}

function SaveForm({ title, query }: { title: string; query: string }) {
  const { user } = useSession()
  const { Form, form, busy, sent, typed, problems, error } = useSentForm('search')
  if (sent) return <Saved email={sent.email ?? ''} query={query} />
  return (
    // A signed-in buyer's address is known only after hydration.
    <Form method="post" ref={form} noValidate className={classes.form} key={user?.id ?? 'visitor'}>
      <input type="hidden" name={INTENT} value="search" />
      <input type="hidden" name="query" value={query} />
      <p className={classes.title}>{title}</p>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        maxLength={254}
        required
        defaultValue={typed.email ?? user?.email}
        error={problems.email}
      />
      <SelectField label="How often" name="frequency" defaultValue={typed.frequency ?? 'hourly'}>
        <option value="hourly">Right away (up to one email an hour)</option>
        <option value="daily">Once a day, in the morning</option>
      </SelectField>
      {(problems.query ?? error) !== undefined && (
        <Notice tone="bad" role="alert">
          {problems.query ?? error}
        </Notice>
      )}
      <div>
        <Button type="submit" look="filled" size="large" busy={busy}>
          Save search
        </Button>
      </div>
      <p className="second">You can unsubscribe from any email.</p>
    </Form>
  )
}

function Saved({ email, query }: { email: string; query: string }) {
  const { user } = useSession()
  const isOwn = user?.emailConfirmed === true && user.email.toLowerCase() === email.toLowerCase()
  return (
    <div role="status">
      <Empty
        title={isOwn ? 'Search saved' : 'Check your email'}
        text={
          isOwn
            ? `We will email new parts to ${email}.`
            : `Open the link we emailed to ${email} and confirm the search. If you saved another search in the last hour, confirming it covers this one too.`
        }
        action={
          <>
            <ButtonLink to={`${paths.parts}?${query}`}>Back to the search</ButtonLink>
            {isOwn && <ButtonLink to={paths.savedSearches}>Saved searches</ButtonLink>}
          </>
        }
      />
    </div>
  )
}
