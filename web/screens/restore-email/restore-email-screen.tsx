import { Text } from '@mantine/core'
import { useNavigate } from 'react-router'
import { accountEndpoints } from '#contract/account/accounts.ts'
import { call } from '#web/api/client.ts'
import { clearSession } from '#web/api/session.ts'
import { DeadLink, EmailedLink, LinkStep, useLinkRequest } from '#web/components/entry/emailed-link.tsx'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { notifyDone } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  return (
    <EntryPage
      title="Restore email"
      heading="Didn’t change your email address?"
      lead="Recover your account."
      below={
        <TextLink underline="always" to={paths.support}>
          Contact support
        </TextLink>
      }
    >
      <EmailedLink
        check={(token, signal) => call(accountEndpoints.checkAddressLink, { body: { token }, signal })}
        dead={<DeadLinkNotice />}
      >
        {({ email }, token) => <Restore token={token} email={email} />}
      </EmailedLink>
    </EntryPage>
  )
}

function Restore({ token, email }: { token: string; email: string }) {
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
  if (isDead) return <DeadLinkNotice />
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

function DeadLinkNotice() {
  return (
    <DeadLink next={<ButtonLink to={paths.support}>Contact support</ButtonLink>}>
      It was already used or has expired. Lost access? Contact us.
    </DeadLink>
  )
}
