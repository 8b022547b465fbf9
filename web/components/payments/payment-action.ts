import { useIsMutating, useMutation } from '@tanstack/react-query'
import { createPath, useLocation, useNavigate } from 'react-router'
import type { billingEndpoints } from '#contract/account/billing.ts'
import type { Answer } from '#contract/endpoint.ts'
import { queryClient } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { currentSession } from '#web/api/session.ts'
import { notifyError, notifyProblem } from '#web/components/toasts.tsx'
import { loginFrom, paths } from '#web/paths.ts'

const everyAction = ['payments']

/** State for a button that starts an action at Stripe. */
export type PaymentAction = {
  run: () => void
  running: boolean
  /** Some payment action is running; only one runs at a time. */
  busy: boolean
}

/** The spec places toasts on the settings page differently from other pages. */
export type ToastPlace = { place: 'top-center' | 'top-right'; about: string }

type ActionOptions = {
  name: string
  signedOut: string
  work: (toast: ToastPlace) => Promise<unknown>
}

/** An action at Stripe. A second click while it runs does nothing; a failure shows a toast. */
export function usePaymentAction({ name, signedOut, work }: ActionOptions): PaymentAction {
  const location = useLocation()
  const navigate = useNavigate()
  const place = location.pathname === paths.accountSettings ? 'top-center' : 'top-right'
  const toast: ToastPlace = { place, about: 'payments' }
  const mutationKey = [...everyAction, name]
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: () => work(toast),
    onError: (error) => reportFailure(error, toast),
  })
  const login = { label: 'Login', run: () => void navigate(loginFrom(createPath(location))) }
  const run = () => {
    // Checks the cache, not rendered state: the second of two quick clicks comes before the next render.
    if (queryClient.isMutating({ mutationKey: everyAction }) > 0) return
    if (currentSession().token === undefined) notifyProblem(signedOut, { ...toast, action: login })
    else mutate()
  }
  return {
    run,
    running: useIsMutating({ mutationKey }) > 0,
    busy: useIsMutating({ mutationKey: everyAction }) > 0,
  }
}

class StepFailed extends Error {
  override name = 'StepFailed'
}

/** Attaches the spec's error sentence, used when the server sends none. */
export async function step<Result>(result: Promise<Result>, fallback: string): Promise<Result> {
  try {
    return await result
  } catch (cause) {
    throw new StepFailed(fallback, { cause })
  }
}

function reportFailure(error: Error, toast: ToastPlace): void {
  const { cause } = error
  notifyError(cause, error instanceof StepFailed ? error.message : 'Could not redirect to Stripe', toast)
  // A conflict means the page shows outdated account data.
  if (cause instanceof ApiError && cause.status === 409) {
    void queryClient.invalidateQueries({ queryKey: ['profile'] })
  }
}

type Redirect = Answer<typeof billingEndpoints.startFreeOnboarding>

/** Goes to Stripe. `mocked` runs instead if payments are off. */
export async function follow(redirect: Redirect, mocked: () => unknown): Promise<void> {
  if ('mock' in redirect) await mocked()
  else await step(leaveFor(redirect.url), 'Could not redirect to Stripe')
}

/** If the browser is still here by then (the user kept unsaved changes), the buttons work again. */
const stayedAfterMs = 10_000

/**
 * Leaves for a page at Stripe. Resolves when this page is shown again, so buttons stay busy until the browser has left
 * and are enabled when it comes back.
 */
async function leaveFor(url: string): Promise<void> {
  if (!isWebAddress(url)) throw new TypeError('Not a web address')
  const back = shownAgain()
  window.location.assign(url)
  await back
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol)
}

function shownAgain(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      window.removeEventListener('pageshow', fromHistory)
      resolve()
    }
    const timer = setTimeout(end, stayedAfterMs)
    // The Back button restores the page as it was, so reload what may have changed at Stripe.
    const fromHistory = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      clearTimeout(timer)
      void queryClient.invalidateQueries({ queryKey: ['profile'] })
      end()
    }
    window.addEventListener('pageshow', fromHistory)
  })
}
