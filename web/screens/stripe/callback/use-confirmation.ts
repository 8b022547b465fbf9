import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { billingEndpoints } from '#contract/billing.ts'
import { call } from '#web/api/client.ts'
import { keepUser, refreshProfile } from '#web/api/keep-user.ts'
import { resetOnboarding } from '#web/components/payments/onboarding-state.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { confirmPatiently } from './confirm-patiently.ts'

/** Confirms a checkout, brings profile and connect status up to date and goes on to the dashboard. */
export function useConfirmation(sessionId: string) {
  const [waits, setWaits] = useState(false)
  const confirmation = useQuery({
    queryKey: ['checkout', sessionId],
    queryFn: async ({ signal }) => {
      setWaits(false)
      const ask = () => call(billingEndpoints.confirmCheckout, { body: { sessionId }, signal })
      const user = await confirmPatiently({ ask, signal, onPending: () => setWaits(true) })
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
    await bringUpToDate()
    notifyDone('Pro Seller unlocked', { about: 'payments' })
    await navigate(paths.sellerDashboard, { replace: true })
  })
  useEffect(() => {
    if (user) void goOn(user)
  }, [user])

  return {
    /** Asking, or confirmed and on the way to the dashboard. */
    isRunning: confirmation.isFetching || Boolean(user),
    /** While running: the provider has answered "not yet", and is asked again. */
    waits,
    error: confirmation.error,
    checkAgain: () => void confirmation.refetch(),
  }
}

/** The confirmation stands whatever comes of these. */
async function bringUpToDate(): Promise<void> {
  await refreshProfile().catch((error: unknown) => notifyError(error, 'Could not refresh profile'))
  await call(billingEndpoints.refreshAccount)
    .then(({ user }) => keepUser(user))
    .catch((error: unknown) => notifyError(error, 'Unable to refresh Stripe status'))
}
