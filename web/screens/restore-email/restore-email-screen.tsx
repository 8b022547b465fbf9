import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { accountEndpoints } from '#contract/accounts.ts'
import { call } from '#web/api/client.ts'
import { clearSession } from '#web/api/session.ts'
import { CheckedLink, DeadLink, isExpired, LinkStep } from '#web/components/entry/emailed-link.tsx'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { useLinkToken } from '#web/components/entry/use-link-token.ts'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  const token = useLinkToken()
  return (
    <EntryPage
      title="Restore email"
      heading="Didn’t change your email address?"
      lead="Take your account back from whoever did."
      below={
        <TextLink underline="always" to={paths.support}>
          Contact support
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
          {({ email }) => <Restore token={token} email={email} />}
        </CheckedLink>
      )}
    </EntryPage>
  )
}

function Restore({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate()
  const request = useMutation({
    mutationFn: () => call(accountEndpoints.restoreAddress, { body: { token } }),
    onSuccess: async ({ passwordToken }) => {
      // The server ended every session of the account, including this browser's.
      clearSession()
      notifyDone('Email restored')
      await navigate(`${paths.resetPassword}#${passwordToken}`, { replace: true })
    },
    onError: (error) => {
      if (!isExpired(error)) notifyError(error, 'Could not restore the address. Please try again.')
    },
  })
  if (isExpired(request.error)) return <Dead />
  return (
    <LinkStep
      heading={`Keep ${email}`}
      action={{
        label: 'Restore and sign out everyone',
        run: () => request.mutate(),
        loading: request.isPending,
      }}
    >
      <Text>
        Your account will use this address, and everyone is signed out. Someone knew your password, so choose
        a new one right after.
      </Text>
    </LinkStep>
  )
}

function Dead() {
  return (
    <DeadLink next={<ButtonLink to={paths.support}>Contact support</ButtonLink>}>
      It was already used or has expired. If you lost your account, write to us.
    </DeadLink>
  )
}
