import { type NavigateFunction, useNavigate } from 'react-router'
import type { User } from '#contract/accounts.ts'
import { billingEndpoints } from '#contract/billing.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { keepUser } from '#web/api/keep-user.ts'
import { notifyDone, notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { follow } from './hand-over.ts'
import { keepCheckout, keepChosenPlan } from './onboarding-state.ts'
import { type PaymentAction, step, type ToastPlace, usePaymentAction } from './payment-action.ts'

/** Chooses a plan and follows what the server says comes next (spec, section 4). */
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

/** From a dashboard: the paid plan, then its checkout. */
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

/** From the free dashboard: the free plan, then payout onboarding. */
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
