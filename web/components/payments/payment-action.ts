import { useIsMutating, useMutation } from '@tanstack/react-query'
import { createPath, useLocation, useNavigate } from 'react-router'
import type { billingEndpoints } from '#contract/billing.ts'
import type { Answer } from '#contract/endpoint.ts'
import { queryClient } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { currentSession } from '#web/api/session.ts'
import { notifyError, notifyProblem } from '#web/components/toasts.tsx'
import { loginFrom, paths } from '#web/paths.ts'

const everyAction = ['payments']

/** What a button with one of the provider's actions shows. */
export type PaymentAction = {
  run: () => void
  /** This action is on its way. */
  running: boolean
  /** Some action is: they are taken one after the other. */
  busy: boolean
}

/** The spec puts the messages of the settings elsewhere than those of the other pages. */
export type ToastPlace = { place: 'top-center' | 'top-right'; about: string }

type ActionOptions = {
  name: string
  /** What whoever is signed out is told. */
  signedOut: string
  work: (toast: ToastPlace) => Promise<unknown>
}

/** One thing that is done at the provider. Of two clicks the second does nothing; a failure is told. */
export function usePaymentAction({ name, signedOut, work }: ActionOptions): PaymentAction {
  const location = useLocation()
  const navigate = useNavigate()
  const place = location.pathname === paths.accountSettings ? 'top-center' : 'top-right'
  const toast: ToastPlace = { place, about: 'payments' }
  const mutationKey = [...everyAction, name]
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: () => work(toast),
    onError: (error) => tellFailure(error, toast),
  })
  const login = { label: 'Login', run: () => void navigate(loginFrom(createPath(location))) }
  const run = () => {
    // Asked of the cache, not of what was drawn last: the second of two quick clicks comes before the next drawing.
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

/** Names the spec's sentence for a step that fails without one of the server's. */
export async function step<Answer>(answer: Promise<Answer>, fallback: string): Promise<Answer> {
  try {
    return await answer
  } catch (cause) {
    throw new StepFailed(fallback, { cause })
  }
}

function tellFailure(error: Error, toast: ToastPlace): void {
  const { cause } = error
  notifyError(cause, error instanceof StepFailed ? error.message : 'Could not redirect to Stripe', toast)
  // Refused because things are otherwise than the page shows.
  if (cause instanceof ApiError && cause.status === 409) {
    void queryClient.invalidateQueries({ queryKey: ['profile'] })
  }
}

type HandOver = Answer<typeof billingEndpoints.startFreeOnboarding>

/** Leaves for the provider's page; `mocked` runs where there is none because payments are off (spec, section 7). */
export async function follow(answer: HandOver, mocked: () => unknown): Promise<void> {
  if ('mock' in answer) await mocked()
  else await step(leaveFor(answer.url), 'Could not redirect to Stripe')
}

/** Where the browser did not leave after all (the person stayed with unsaved changes), the page comes alive again. */
const stayedAfterMs = 10_000

/**
 * Leaves for a page of the provider. Resolves when this page is in sight again: what is waited for here stays busy
 * until the browser has gone, and is not found busy when it comes back.
 */
async function leaveFor(url: string): Promise<void> {
  if (!isWebAddress(url)) throw new TypeError('Not an address of the web')
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
    // A page brought back by Back stands as it was left; what happened at the provider meanwhile is read anew.
    const fromHistory = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      clearTimeout(timer)
      void queryClient.invalidateQueries({ queryKey: ['profile'] })
      end()
    }
    window.addEventListener('pageshow', fromHistory)
  })
}
