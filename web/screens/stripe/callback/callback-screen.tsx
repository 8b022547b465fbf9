import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { billingEndpoints } from '#contract/account/billing.ts'
import { keepUser, refreshProfile } from '#web/api/account.ts'
import { call } from '#web/api/client.ts'
import { ApiError, errorSentence } from '#web/api/failures.ts'
import { useSession } from '#web/api/session.ts'
import { ButtonLink } from '#web/components/links.tsx'
import { usePageTitle } from '#web/components/page/page.tsx'
import { Spinner } from '#web/components/page/waiting.tsx'
import { readOnboarding, resetOnboarding } from '#web/components/payments/onboarding-state.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import classes from './callback.module.css'
import { confirmPatiently } from './confirm-patiently.ts'

/** The return page after checkout. The URL proves nothing: the server asks Stripe whether the payment went through. */
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
      This link doesn’t include a checkout. If you have paid, Pro starts automatically within a minute and
      your dashboard shows it.
    </Result>
  )
}

function Confirmation({ sessionId }: { sessionId: string }) {
  const { isRunning, isPending, error, checkAgain } = useConfirmation(sessionId)
  if (isRunning) {
    return (
      <div role="status">
        <Result title={isPending ? 'Waiting for Stripe’s confirmation' : 'Confirming your payment'} spins>
          {isPending
            ? 'Stripe has not confirmed the subscription yet. We will keep checking for about 30 seconds.'
            : 'One moment. We are checking your subscription with Stripe.'}
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
        It was started from another account, or the link is incomplete. Log in with the account that paid.
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
      Your payment is not lost. Pro starts automatically as soon as we can reach Stripe.
    </Result>
  ) : (
    <Result title="Subscription confirmation is still pending." actions={actions}>
      Some banks take longer. You don’t have to wait here: Pro starts automatically once the payment is
      confirmed.
    </Result>
  )
}

const isForeign = (error: unknown) => error instanceof ApiError && [400, 404, 422].includes(error.status)

function ToDashboard() {
  return (
    <ButtonLink to={paths.sellerDashboard} replace variant="default">
      Go to my seller dashboard
    </ButtonLink>
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

/** Confirms a checkout, refreshes profile and connect status, then goes to the dashboard. */
function useConfirmation(sessionId: string) {
  const [isPending, setIsPending] = useState(false)
  const confirmation = useQuery({
    queryKey: ['checkout', sessionId],
    queryFn: async ({ signal }) => {
      setIsPending(false)
      const ask = () => call(billingEndpoints.confirmCheckout, { body: { sessionId }, signal })
      const user = await confirmPatiently({ ask, signal, onPending: () => setIsPending(true) })
      return { user: user ?? null }
    },
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const navigate = useNavigate()
  const user = confirmation.data?.user
  const goOn = useEffectEvent(async (confirmed: NonNullable<typeof user>) => {
    resetOnboarding()
    await keepUser(confirmed)
    await refreshAccount()
    notifyDone('Pro Seller unlocked', { about: 'payments' })
    await navigate(paths.sellerDashboard, { replace: true })
  })
  useEffect(() => {
    if (user) void goOn(user)
  }, [user])

  return {
    /** Checking, or confirmed and about to leave for the dashboard. */
    isRunning: confirmation.isFetching || Boolean(user),
    /** Stripe has replied "not yet" at least once. */
    isPending,
    error: confirmation.error,
    checkAgain: () => void confirmation.refetch(),
  }
}

/** Errors here do not undo the confirmation. */
async function refreshAccount(): Promise<void> {
  await refreshProfile().catch((error: unknown) => notifyError(error, 'Could not refresh profile'))
  await call(billingEndpoints.refreshAccount)
    .then(({ user }) => keepUser(user))
    .catch((error: unknown) => notifyError(error, 'Unable to refresh Stripe status'))
}
