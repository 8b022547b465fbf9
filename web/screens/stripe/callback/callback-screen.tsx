import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ApiError, errorSentence } from '#web/api/failures.ts'
import { useSession } from '#web/api/session.ts'
import { usePageTitle } from '#web/components/page.tsx'
import { readOnboarding } from '#web/components/payments/onboarding-state.ts'
import { Spinner } from '#web/components/spinner.tsx'
import { paths } from '#web/paths.ts'
import classes from './callback.module.css'
import { useConfirmation } from './use-confirmation.ts'

/** Where the checkout sends whoever has paid. The address alone makes nobody Pro: the server asks the provider. */
export function Component() {
  usePageTitle('Pro Seller')
  const [search] = useSearchParams()
  const { user } = useSession()
  const sessionId = search.get('session_id') || readOnboarding(user?.id).checkoutSessionId
  return sessionId ? <Confirmation key={sessionId} sessionId={sessionId} /> : <NothingToConfirm />
}

function NothingToConfirm() {
  return (
    <Result title="There is no payment to confirm here" actions={<ToDashboard />}>
      The address of this page names no checkout. If you have paid, Pro starts on its own within a minute;
      your dashboard shows it.
    </Result>
  )
}

function Confirmation({ sessionId }: { sessionId: string }) {
  const { isRunning, waits, error, checkAgain } = useConfirmation(sessionId)
  if (isRunning) {
    return (
      <div role="status">
        <Result title={waits ? 'Waiting for Stripe’s confirmation' : 'Confirming your payment'} spins>
          {waits
            ? 'Stripe has not confirmed the subscription yet. We keep asking for about half a minute.'
            : 'One moment: we ask Stripe about your subscription.'}
        </Result>
      </div>
    )
  }
  return (
    <div role="alert">
      <Failure error={error} checkAgain={checkAgain} />
    </div>
  )
}

function Failure({ error, checkAgain }: { error: Error | null; checkAgain: () => void }) {
  if (isForeign(error)) {
    return (
      <Result title="This checkout is not on your account" actions={<ToDashboard />}>
        It was started from another account, or the address of this page is incomplete. Log in with the
        account that paid.
      </Result>
    )
  }
  const actions = (
    <>
      <Button onClick={checkAgain}>Check again</Button>
      <ToDashboard />
    </>
  )
  return error ? (
    <Result title={errorSentence(error, 'Unable to verify subscription')} actions={actions}>
      Your payment is not lost: Pro starts on its own as soon as we can reach Stripe again.
    </Result>
  ) : (
    <Result title="Subscription confirmation is still pending." actions={actions}>
      Some banks take longer. You do not have to wait here: Pro starts on its own once the payment is
      confirmed.
    </Result>
  )
}

const isForeign = (error: unknown) => error instanceof ApiError && [400, 404, 422].includes(error.status)

function ToDashboard() {
  return (
    <Button component={Link} to={paths.sellerDashboard} replace variant="default">
      Go to my seller dashboard
    </Button>
  )
}

type ResultProps = { title: string; spins?: boolean; actions?: ReactNode; children: ReactNode }

function Result({ title, spins = false, actions, children }: ResultProps) {
  return (
    <Stack className={classes.result} gap="md">
      {spins && <Spinner />}
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text className="second" maw="34rem">
        {children}
      </Text>
      {actions !== undefined && (
        <Group gap="sm" justify="center">
          {actions}
        </Group>
      )}
    </Stack>
  )
}
