import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { accountEndpoints } from '#contract/accounts.ts'
import { refreshProfile } from '#web/api/account.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { CheckedLink, DeadLink, isExpired, LinkStep } from '#web/components/entry/emailed-link.tsx'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { useLinkToken } from '#web/components/entry/use-link-token.ts'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  const token = useLinkToken()
  return (
    <EntryPage
      title="Confirm email"
      heading="Confirm your email address"
      lead="So that nobody can use your address for an account."
      below={
        <TextLink underline="always" to={paths.home}>
          Go to the home page
        </TextLink>
      }
    >
      {token === undefined ? (
        <Dead />
      ) : (
        <CheckedLink
          key={token}
          token={token}
          check={(token, signal) => call(accountEndpoints.checkAddressLink, { body: { token }, signal })}
          dead={<Dead />}
        >
          {({ email }) => <Confirm token={token} email={email} />}
        </CheckedLink>
      )}
    </EntryPage>
  )
}

function Confirm({ token, email }: { token: string; email: string }) {
  const isSignedIn = useSession().user !== undefined
  const request = useMutation({
    mutationFn: () => call(accountEndpoints.confirmAddress, { body: { token } }),
    onSuccess: () => {
      // The address is confirmed even if this browser cannot show it yet.
      if (isSignedIn) void refreshProfile().catch(() => undefined)
    },
    onError: (error) => {
      if (!isExpired(error)) notifyError(error, 'Could not confirm the address. Please try again.')
    },
  })
  if (isExpired(request.error)) return <Dead />
  if (request.isSuccess) {
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
    <LinkStep
      heading={email}
      action={{
        label: 'Confirm email address',
        run: () => request.mutate(),
        loading: request.isPending,
      }}
    >
      <Text>Is this your address, and did you ask for this? Then confirm it.</Text>
    </LinkStep>
  )
}

function Dead() {
  return (
    <DeadLink next={<ButtonLink to={paths.accountSettings}>Open account settings</ButtonLink>}>
      It was already used, was replaced by a newer one, or has expired. You can get a new one in your account
      settings.
    </DeadLink>
  )
}
