import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import type { User } from '#contract/accounts.ts'
import { useRefreshStatus } from '#web/components/payments/account-actions.ts'
import type { ToastPlace } from '#web/components/payments/payment-action.ts'
import { notifyDone, notifyInfo, notifyProblem } from '#web/components/toasts.tsx'

const outcomes: Record<User['connectStatus'], (toast: ToastPlace) => void> = {
  NOT_STARTED: (toast) => notifyInfo('Payout onboarding is not begun yet.', toast),
  IN_PROGRESS: (toast) => notifyInfo('Payout onboarding is not finished yet. Resume it any time.', toast),
  PENDING: (toast) => notifyInfo('Everything is sent. Stripe is checking it.', toast),
  VERIFIED: (toast) => notifyDone('Payouts verified', toast),
  REJECTED: (toast) => notifyProblem('Stripe cannot pay out to this account.', toast),
}

/** Whoever comes back from payout onboarding is told how it stands now; a reload does not tell it again. */
export function useReturnFromStripe(): void {
  const [search, setSearch] = useSearchParams()
  const returned = search.get('connect') === 'returned'
  const refresh = useRefreshStatus((user, toast) => outcomes[user.connectStatus](toast))
  const takeIn = useEffectEvent(() => {
    const rest = new URLSearchParams(search)
    rest.delete('connect')
    setSearch(rest, { replace: true })
    refresh.run()
  })
  useEffect(() => {
    if (returned) takeIn()
  }, [returned])
}
