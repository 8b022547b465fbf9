import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { accountEndpoints, type UnsubscribeKind, unsubscribeKinds } from '#contract/accounts.ts'
import { refreshProfile } from '#web/api/account.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { DeadLink, isExpired, LinkStep } from '#web/components/entry/emailed-link.tsx'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { useLinkToken } from '#web/components/entry/use-link-token.ts'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

const kinds: Record<UnsubscribeKind, { name: string; stays: string }> = {
  weeklySummary: { name: 'the weekly summary', stays: 'Your numbers stay on your analytics page.' },
  messageEmails: { name: 'emails about new messages', stays: 'Messages still arrive in your inbox here.' },
}

export function Component() {
  const token = useLinkToken()
  const kind = unsubscribeKinds.find((kind) => token?.endsWith(`.${kind}`))
  return (
    <EntryPage
      title="Unsubscribe"
      heading="Fewer emails from us"
      lead="You can turn emails on again in your account settings."
      below={
        <TextLink underline="always" to={paths.accountSettings}>
          Account settings
        </TextLink>
      }
    >
      {token === undefined || kind === undefined ? (
        <Dead />
      ) : (
        <Unsubscribe key={token} token={token} kind={kind} />
      )}
    </EntryPage>
  )
}

function Unsubscribe({ token, kind }: { token: string; kind: UnsubscribeKind }) {
  const isSignedIn = useSession().user !== undefined
  const { name, stays } = kinds[kind]
  const request = useMutation({
    mutationFn: () => call(accountEndpoints.unsubscribe, { body: { token } }),
    onSuccess: () => {
      // It worked even if this browser cannot show it yet.
      if (isSignedIn) void refreshProfile().catch(() => undefined)
    },
    onError: (error) => {
      if (!isExpired(error)) notifyError(error, 'Could not unsubscribe. Please try again.')
    },
  })
  if (isExpired(request.error)) return <Dead />
  if (request.isSuccess) {
    return (
      <LinkStep heading="You are unsubscribed">
        <Text>
          You won’t get {name} anymore. {stays}
        </Text>
      </LinkStep>
    )
  }
  return (
    <LinkStep
      heading={`Stop ${name}?`}
      action={{ label: 'Stop these emails', run: () => request.mutate(), loading: request.isPending }}
    >
      <Text>{stays}</Text>
    </LinkStep>
  )
}

function Dead() {
  return (
    <DeadLink next={<ButtonLink to={paths.accountSettings}>Open account settings</ButtonLink>}>
      It is incomplete. Open it again from the email, or change your emails in your account settings.
    </DeadLink>
  )
}
