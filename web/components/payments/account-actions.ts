import { useEffect, useEffectEvent } from 'react'
import { type NavigateFunction, useNavigate, useSearchParams } from 'react-router'
import type { User } from '#contract/account/accounts.ts'
import { billingEndpoints } from '#contract/account/billing.ts'
import type { Answer } from '#contract/endpoint.ts'
import { keepUser } from '#web/api/account.ts'
import { call, queryClient } from '#web/api/client.ts'
import { notifyDone, notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { keepCheckout, keepChosenPlan } from './onboarding-state.ts'
import { follow, type PaymentAction, step, type ToastPlace, usePaymentAction } from './payment-action.ts'

const managePayouts = 'Please login to manage payouts'

/** Opens payout onboarding, starting it if needed. */
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

/** Reloads the payout account and subscription from Stripe. `report` shows the result. */
export function useRefreshStatus(
  report: (user: User, toast: ToastPlace) => void = statusUpdated,
): PaymentAction {
  return usePaymentAction({
    name: 'refresh status',
    signedOut: managePayouts,
    async work(toast) {
      const { user } = await step(call(billingEndpoints.refreshAccount), 'Unable to refresh Stripe status')
      await keepUser(user)
      void queryClient.invalidateQueries({ queryKey: ['balance'] })
      report(user, toast)
    },
  })
}

/** Selects a plan and follows the server's `next`. */
export function useChoosePlan(plan: User['sellerTier']): PaymentAction {
  const navigate = useNavigate()
  return usePaymentAction({
    name: `choose ${plan}`,
    signedOut: 'Please login to continue onboarding',
    async work(toast) {
      const { user, next } = await choosePlan(plan)
      if (next === 'connect') await startFreeOnboarding(navigate, toast)
      else if (next === 'checkout') await goToCheckout(user, toast, startCheckout)
      else await navigate(paths.sellerDashboard)
    },
  })
}

/** Selects the paid plan, then opens its checkout. */
export function useUpgrade(): PaymentAction {
  return usePaymentAction({
    name: 'upgrade',
    signedOut: 'Please login to continue',
    async work(toast) {
      const { user, next } = await choosePlan('PAID')
      if (next === 'checkout') await goToCheckout(user, toast, upgrade)
      else notifyDone('Pro Seller unlocked', toast)
    },
  })
}

/** Selects the free plan, then opens payout onboarding. */
export function useStartPayouts(): PaymentAction {
  const navigate = useNavigate()
  return usePaymentAction({
    name: 'start payouts',
    signedOut: 'Please login to continue onboarding',
    async work(toast) {
      await choosePlan('FREE')
      await startFreeOnboarding(navigate, toast)
    },
  })
}

async function choosePlan(plan: User['sellerTier']) {
  const answer = await step(call(billingEndpoints.choosePlan, { body: { plan } }), 'Unable to select plan')
  keepChosenPlan(answer.user.id, plan)
  await keepUser(answer.user)
  return answer
}

async function startFreeOnboarding(navigate: NavigateFunction, toast: ToastPlace): Promise<void> {
  const answer = await step(call(billingEndpoints.startFreeOnboarding), 'Unable to start free onboarding')
  await follow(answer, () => {
    notifyInfo('Stripe connect is mocked. Loading dashboard.', toast)
    return navigate(paths.sellerDashboard)
  })
}

type Checkout = Answer<typeof billingEndpoints.startCheckout>
const startCheckout = () => step(call(billingEndpoints.startCheckout), 'Unable to start checkout')
const upgrade = () => step(call(billingEndpoints.upgrade), 'Unable to upgrade right now')

async function goToCheckout(
  user: User,
  toast: ToastPlace,
  openCheckout: () => Promise<Checkout>,
): Promise<void> {
  notifyInfo('Switching to checkout flow.', toast)
  const checkout = await openCheckout()
  if ('sessionId' in checkout) keepCheckout(user.id, checkout.sessionId)
  await follow(checkout, () => notifyProblem('Stripe not configured. Cannot continue to checkout.', toast))
}

/**
 * Refreshes the status once when a user returns from Stripe (`?connect=returned`, `?billing=returned`). The parameter is
 * removed from the URL so that a reload does not refresh again. `report` shows the result.
 */
export function useStripeReturn(
  from: 'connect' | 'billing',
  report?: (user: User, toast: ToastPlace) => void,
): void {
  const [search, setSearch] = useSearchParams()
  const returned = search.get(from) === 'returned'
  const refresh = useRefreshStatus(report)
  const refreshOnce = useEffectEvent(() => {
    const rest = new URLSearchParams(search)
    rest.delete(from)
    setSearch(rest, { replace: true, preventScrollReset: true })
    refresh.run()
  })
  useEffect(() => {
    if (returned) refreshOnce()
  }, [returned])
}
