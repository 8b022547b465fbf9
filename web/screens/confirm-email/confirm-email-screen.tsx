import { Text } from '@mantine/core'
import { accountEndpoints } from '#contract/account/accounts.ts'
import { refreshProfile } from '#web/api/account.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { DeadLink, EmailedLink, LinkStep, useLinkRequest } from '#web/components/entry/emailed-link.tsx'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  return (
    <EntryPage
      title="Confirm email"
      heading="Confirm your email address"
      lead="So nobody else can open an account with your address."
      below={
        <TextLink underline="always" to={paths.home}>
          Go to the home page
        </TextLink>
      }
    >
      <EmailedLink
        check={(token, signal) => call(accountEndpoints.checkAddressLink, { body: { token }, signal })}
        dead={<DeadLinkNotice />}
      >
        {({ email }, token) => <Confirm token={token} email={email} />}
      </EmailedLink>
    </EntryPage>
  )
}

function Confirm({ token, email }: { token: string; email: string }) {
  const isSignedIn = useSession().user !== undefined
  const { send, isDone, isDead, loading } = useLinkRequest({
    run: () => call(accountEndpoints.confirmAddress, { body: { token } }),
    onDone: () => {
      // The address is confirmed even if this browser cannot show it yet.
      if (isSignedIn) void refreshProfile().catch(() => undefined)
    },
    failed: 'Could not confirm the address. Please try again.',
  })
  if (isDead) return <DeadLinkNotice />
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

function DeadLinkNotice() {
  return (
    <DeadLink next={<ButtonLink to={paths.accountSettings}>Open account settings</ButtonLink>}>
      It was already used, was replaced by a newer one, or has expired. You can get a new one in your account
      settings.
    </DeadLink>
  )
}
