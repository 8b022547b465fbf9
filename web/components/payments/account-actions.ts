import type { User } from '#contract/accounts.ts'
import { billingEndpoints } from '#contract/billing.ts'
import { call } from '#web/api/client.ts'
import { keepUser } from '#web/api/keep-user.ts'
import { queryClient } from '#web/api/query-client.ts'
import { notifyDone, notifyInfo } from '#web/components/toasts.tsx'
import { follow } from './hand-over.ts'
import { type PaymentAction, step, type ToastPlace, usePaymentAction } from './payment-action.ts'

const managePayouts = 'Please login to manage payouts'

/** A fresh link to payout onboarding; begins it the first time. */
export function useResumeOnboarding(): PaymentAction {
  return usePaymentAction({
    name: 'resume onboarding',
    signedOut: managePayouts,
    async work(toast) {
      const answer = await step(call(billingEndpoints.resumeOnboarding), 'Unable to resume Stripe onboarding')
      await follow(answer, () => notifyInfo('Stripe connect is mocked.', toast))
    },
  })
}

export function useOpenPayoutSettings(): PaymentAction {
  return usePaymentAction({
    name: 'payout settings',
    signedOut: managePayouts,
    async work(toast) {
      const answer = await step(call(billingEndpoints.openPayoutSettings), 'Unable to open payout settings')
      await follow(answer, () => notifyInfo('Payout settings link not available.', toast))
    },
  })
}

export function useOpenBillingPortal(): PaymentAction {
  return usePaymentAction({
    name: 'billing portal',
    signedOut: 'Please login to manage billing',
    async work(toast) {
      const answer = await step(call(billingEndpoints.openBillingPortal), 'Unable to open billing portal')
      await follow(answer, () => notifyInfo('Billing portal link not available.', toast))
    },
  })
}

const statusUpdated = (_: User, toast: ToastPlace) => notifyDone('Stripe status updated', toast)

/** Reads payout account and subscription from the provider anew; `tell` says what came of it. */
export function useRefreshStatus(
  tell: (user: User, toast: ToastPlace) => void = statusUpdated,
): PaymentAction {
  return usePaymentAction({
    name: 'refresh status',
    signedOut: managePayouts,
    async work(toast) {
      const { user } = await step(call(billingEndpoints.refreshAccount), 'Unable to refresh Stripe status')
      await keepUser(user)
      void queryClient.invalidateQueries({ queryKey: ['balance'] })
      tell(user, toast)
    },
  })
}
