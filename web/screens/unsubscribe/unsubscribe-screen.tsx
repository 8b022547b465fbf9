import { Text } from '@mantine/core'
import { useLocation, useNavigate } from 'react-router'
import { accountEndpoints, type UnsubscribeKind, unsubscribeKinds } from '#contract/account/accounts.ts'
import { refreshProfile } from '#web/api/account.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { DeadLink, LinkStep, useLinkRequest, useLinkToken } from '#web/components/entry/emailed-link.tsx'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { paths } from '#web/paths.ts'

const kinds: Record<UnsubscribeKind, { name: string; stays: string }> = {
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

export function Component() {
  const token = useLinkToken({ kept: true })
  const kind = unsubscribeKinds.find((kind) => token?.endsWith(`.${kind}`))
  // Buyers need no account.
  const isOfBuyer = kind === 'conversation' || kind === 'savedSearches'
  return (
    <EntryPage
      title="Unsubscribe"
      heading="Fewer emails from us"
      lead={
        kind === 'conversation' ? 'One click, without an account.' : 'You can turn them on again at any time.'
      }
      below={
        isOfBuyer ? (
          <TextLink underline="always" to={paths.parts}>
            Find more parts
          </TextLink>
        ) : (
          <TextLink underline="always" to={paths.accountSettings}>
            Account settings
          </TextLink>
        )
      }
    >
      {token === undefined || kind === undefined ? (
        <DeadLinkNotice />
      ) : (
        <Unsubscribe key={token} token={token} kind={kind} />
      )}
    </EntryPage>
  )
}

function Unsubscribe({ token, kind }: { token: string; kind: UnsubscribeKind }) {
  const isSignedIn = useSession().user !== undefined
  const { name, stays } = kinds[kind]
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
  if (isDead) return <DeadLinkNotice />
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

function DeadLinkNotice() {
  return (
    <DeadLink next={<ButtonLink to={paths.accountSettings}>Open account settings</ButtonLink>}>
      Part of the link is missing. Click it in the email again, or change your emails in your account
      settings.
    </DeadLink>
  )
}
