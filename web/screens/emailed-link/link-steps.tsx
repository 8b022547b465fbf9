import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { accountEndpoints, type UnsubscribeKind, unsubscribeKinds } from '#contract/account/accounts.ts'
import type { Answer } from '#contract/endpoint.ts'
import { leadEndpoints } from '#contract/leads.ts'
import { reportEndpoints } from '#contract/reports.ts'
import { savedSearchEndpoints } from '#contract/search/saved-searches.ts'
import { refreshProfile } from '#web/api/account.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { clearSession, useSession } from '#web/api/session.ts'
import { isExpired, LinkStep, useLinkRequest } from '#web/components/entry/emailed-link.tsx'
import { NewPasswordField } from '#web/components/form/password-field.tsx'
import { useTextForm } from '#web/components/form/use-text-form.ts'
import { ButtonLink } from '#web/components/links.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { formatPrice } from '#web/site/card/listing-words.ts'

/* What each emailed link would do, with the button that does it, and then what it did. */

export type StepProps<Found> = {
  token: string
  /** What the check said of the link; undefined for links that are not checked. */
  found: Found
  /** Shown if the link expired after the page was opened. */
  dead: ReactNode
}

type AddressStep = StepProps<Answer<typeof accountEndpoints.checkAddressLink>>

export function ConfirmEmail({ token, found: { email }, dead }: AddressStep) {
  const isSignedIn = useSession().user !== undefined
  const { send, isDone, isDead, loading } = useLinkRequest({
    run: () => call(accountEndpoints.confirmAddress, { body: { token } }),
    onDone: () => {
      // The address is confirmed even if this browser cannot show it yet.
      if (isSignedIn) void refreshProfile().catch(() => undefined)
    },
    failed: 'Could not confirm the address. Please try again.',
  })
  if (isDead) return dead
  if (isDone) {
    return (
      <LinkStep heading="Your email address is confirmed">
        <Text>
          Sign in with <strong>{email}</strong> from now on.
        </Text>
        <ButtonLink to={isSignedIn ? paths.userDashboard : paths.login}>
          {isSignedIn ? 'Go to my dashboard' : 'Login'}
        </ButtonLink>
      </LinkStep>
    )
  }
  return (
    <LinkStep heading={email} action={{ label: 'Confirm email address', run: send, loading }}>
      <Text>Is this your address, and did you ask for this? Then confirm it.</Text>
    </LinkStep>
  )
}

export function RestoreEmail({ token, found: { email }, dead }: AddressStep) {
  const navigate = useNavigate()
  const { send, isDead, loading } = useLinkRequest({
    run: () => call(accountEndpoints.restoreAddress, { body: { token } }),
    onDone: ({ passwordToken }) => {
      // The server ended every session of the account, including this browser's.
      clearSession()
      notifyDone('Email restored')
      void navigate(`${paths.resetPassword}#${passwordToken}`, { replace: true })
    },
    failed: 'Could not restore the address. Please try again.',
  })
  if (isDead) return dead
  return (
    <LinkStep
      heading={`Keep ${email}`}
      action={{ label: 'Restore and sign out everyone', run: send, loading }}
    >
      <Text>
        Your account will use this address, and everyone is signed out. Someone knew your password, so choose
        a new one right away.
      </Text>
    </LinkStep>
  )
}

export function NewPassword({ token, dead }: StepProps<unknown>) {
  const navigate = useNavigate()
  const about = 'password reset'
  const { values, field, submit, request } = useTextForm({
    start: { password: '' },
    send: ({ password }) => call(accountEndpoints.resetPassword, { body: { token, password } }),
    onSent: async () => {
      // The server ended every session of the account, including this browser's.
      clearSession()
      notifyDone('Password changed', { about })
      await navigate(paths.login, { replace: true })
    },
    onFailed: (error) => {
      if (isExpired(error) || (error instanceof ApiError && error.fields.password)) return
      notifyError(error, 'Could not change the password. Please try again.', { about })
    },
  })
  if (isExpired(request.error)) return dead
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <NewPasswordField label="New password" {...field('password')} />
        <Button type="submit" size="md" disabled={values.password === ''} loading={request.isPending}>
          Save new password
        </Button>
      </Stack>
    </form>
  )
}

type MessageStep = StepProps<Answer<typeof leadEndpoints.checkMessageLink>>

export function ConfirmMessage({ token, found, dead }: MessageStep) {
  const { email, sellerName, listingTitle, slug, confirmed, offer } = found
  const { send, isDone, isDead, loading } = useLinkRequest({
    run: () => call(leadEndpoints.confirmMessage, { body: { token } }),
    failed: 'Could not confirm the address. Please try again.',
  })
  if (isDead) return dead
  if (isDone || confirmed) {
    return (
      <LinkStep heading={isDone ? 'Your address is confirmed' : 'You already confirmed this message'}>
        <Text>
          {!isDone && `${sellerName} has it. `}Replies from {sellerName} go to <strong>{email}</strong>.
        </Text>
        <ButtonLink to={{ pathname: paths.messages, hash: token }}>See the conversation</ButtonLink>
        {slug && (
          <ButtonLink variant="default" to={paths.part(slug)}>
            Back to the part
          </ButtonLink>
        )}
      </LinkStep>
    )
  }
  return (
    <LinkStep heading={listingTitle} action={{ label: 'Yes, that was me', run: send, loading }}>
      <Text>
        {offer
          ? `Did you offer ${sellerName} ${formatPrice(offer.price, offer.currency)} for this part?`
          : `Did you message ${sellerName} about this part?`}{' '}
        We’ll email their replies to <strong>{email}</strong>.
      </Text>
      <Text className="second">If not, close this page. You won’t hear from them.</Text>
    </LinkStep>
  )
}

type SearchStep = StepProps<Answer<typeof savedSearchEndpoints.checkSearchLink>>

export function ConfirmSearch({ token, found: { email, items }, dead }: SearchStep) {
  const [chosen, setChosen] = useState<readonly string[]>(items.map(({ id }) => id))
  const [key, setKey] = useState<string>()
  const { send, isDone, isDead, loading } = useLinkRequest({
    run: () => call(savedSearchEndpoints.confirmSearches, { body: { token, ids: [...chosen] } }),
    onDone: (done) => setKey(done.key),
    failed: 'Could not confirm the search. Please try again.',
  })
  if (isDead) return dead
  if (isDone) {
    return (
      <LinkStep heading={chosen.length > 1 ? 'Your searches are saved' : 'Your search is saved'}>
        <Text>
          New parts go to <strong>{email}</strong>. You can unsubscribe from any email.
        </Text>
        <ButtonLink to={`${paths.savedSearches}#${key}`}>See your saved searches</ButtonLink>
      </LinkStep>
    )
  }
  if (items.length === 0) {
    return (
      <LinkStep heading="Nothing to confirm">
        <Text>Your searches are confirmed already. Our emails have a link to them.</Text>
        <ButtonLink to={paths.parts}>Find parts</ButtonLink>
      </LinkStep>
    )
  }
  return (
    <LinkStep
      heading="Confirm your saved search"
      action={chosen.length > 0 ? { label: 'Yes, email me', run: send, loading } : undefined}
    >
      <Checkbox.Group
        value={[...chosen]}
        onChange={setChosen}
        label={`Email ${email} when a part is listed for:`}
      >
        <Stack gap="xs" mt="xs">
          {items.map(({ id, title }) => (
            <Checkbox key={id} value={id} label={title} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Text className="second">If not, close this page. We won’t email you.</Text>
    </LinkStep>
  )
}

export function ConfirmReport({ token, dead }: StepProps<unknown>) {
  const { send, isDone, isDead, loading } = useLinkRequest({
    run: () => call(reportEndpoints.confirmReport, { body: { token } }),
    failed: 'Could not confirm the report. Please try again.',
  })
  if (isDead) return dead
  if (isDone) {
    return (
      <LinkStep heading="Your report is confirmed">
        <Text>Thanks. We’ll review the listing.</Text>
        <ButtonLink to={paths.parts}>Find parts</ButtonLink>
      </LinkStep>
    )
  }
  return (
    <LinkStep heading="Did you report a listing?" action={{ label: 'Yes, that was me', run: send, loading }}>
      <Text className="second">If not, close this page.</Text>
    </LinkStep>
  )
}

const unsubscribed: Record<UnsubscribeKind, { name: string; stays: string }> = {
  weeklySummary: { name: 'the weekly summary', stays: 'Your numbers stay on your analytics page.' },
  messageEmails: { name: 'emails about new messages', stays: 'Messages still arrive in your inbox here.' },
  conversation: {
    name: 'emails about this conversation',
    stays:
      'You can still open it with the link of an earlier email. If you write there, you get emails again.',
  },
  savedSearches: {
    name: 'emails about your saved searches',
    stays: 'Your searches stay saved. The link in any of those emails turns them on again.',
  },
}

/** The emails that a token stops; undefined if part of the link is missing. */
export const unsubscribeKind = (token: string | undefined): UnsubscribeKind | undefined =>
  unsubscribeKinds.find((kind) => token?.endsWith(`.${kind}`))

/** Buyers need no account. */
export const isOfBuyer = (kind: UnsubscribeKind | undefined): boolean =>
  kind === 'conversation' || kind === 'savedSearches'

export function Unsubscribe({ token, dead }: StepProps<unknown>) {
  const isSignedIn = useSession().user !== undefined
  const { pathname, state } = useLocation()
  const navigate = useNavigate()
  const { send, isDone, isDead, loading } = useLinkRequest({
    run: () => call(accountEndpoints.unsubscribe, { body: { token } }),
    onDone: () => {
      // After a reload, the page still says so.
      void navigate(pathname, { replace: true, state: { token, isDone: true } })
      // It worked even if this browser cannot show it yet.
      if (isSignedIn) void refreshProfile().catch(() => undefined)
    },
    failed: 'Could not unsubscribe. Please try again.',
  })
  const kind = unsubscribeKind(token)
  if (isDead || kind === undefined) return dead
  const { name, stays } = unsubscribed[kind]
  if (isDone || (state as { isDone?: boolean } | null)?.isDone) {
    return (
      <LinkStep heading="You are unsubscribed">
        <Text>
          You won’t get {name} anymore. {stays}
        </Text>
      </LinkStep>
    )
  }
  return (
    <LinkStep heading={`Stop ${name}?`} action={{ label: 'Stop these emails', run: send, loading }}>
      <Text>{stays}</Text>
    </LinkStep>
  )
}
