import { useNavigate } from 'react-router'
import type { User } from '#contract/account/accounts.ts'
import { useProfile } from '#web/api/account.ts'
import { useStripeReturn } from '#web/components/payments/account-actions.ts'
import { takeReturnPath } from '#web/components/payments/onboarding-state.ts'
import type { ToastPlace } from '#web/components/payments/payment-action.ts'
import { notifyDone, notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { FreeDashboard } from './free-dashboard.tsx'
import { ProCommandCenter } from './pro-command-center.tsx'

/** Two dashboards at one URL, by tier. */
export function Component() {
  const user = useProfile()
  const navigate = useNavigate()
  useStripeReturn('connect', ({ id, connectStatus }, toast) => {
    notifyConnectStatus[connectStatus](toast)
    const left = takeReturnPath(id)
    if (left !== undefined && connectStatus !== 'NOT_STARTED') void navigate(left, { replace: true })
  })
  if (!user) return null
  return user.sellerTier === 'PAID' ? <ProCommandCenter user={user} /> : <FreeDashboard user={user} />
}

/** Shown when a seller returns from payout onboarding. */
const notifyConnectStatus: Record<User['connectStatus'], (toast: ToastPlace) => void> = {
  NOT_STARTED: (toast) => notifyInfo('You have not started payout onboarding yet.', toast),
  IN_PROGRESS: (toast) => notifyInfo('Payout onboarding is not finished yet. Resume it any time.', toast),
  PENDING: (toast) => notifyInfo('You sent everything. Stripe is reviewing it.', toast),
  VERIFIED: (toast) => notifyDone('Payouts verified', toast),
  REJECTED: (toast) =>
    notifyProblem('Stripe declined this payout account. Contact Technical Support.', toast),
}
