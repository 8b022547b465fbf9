import type { FastifyInstance } from 'fastify'
import type { billingEndpoints } from '#contract/account/billing.ts'
import { getProfile, presentUser } from '#server/features/people/accounts/persons.ts'
import { type Actor, isAdmin } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { HandlerRequest, Handlers } from '#server/platform/http/handler.ts'
import { otherRoute } from '#server/platform/http/openapi.ts'
import type { Log } from '#server/platform/log.ts'
import { isLoopback } from '#server/platform/setting.ts'
import { confirmCheckout, openBillingPortal, startCheckout } from './checkout.ts'
import { receiveEvent } from './events.ts'
import { openOnboarding, openPayoutSettings } from './payouts.ts'
import { choosePlan } from './plans.ts'
import { type ProviderCalls, ProviderFailure, type StripeClient } from './provider.ts'
import { getStanding } from './queries.ts'
import { syncConnect, syncSubscription } from './sync.ts'

// Time limit for all calls of one click together, because a person is waiting.
const CLICK_TIMEOUT_MS = 9_000
// An outage of the provider lasts minutes; impatient people may click again.
const RETRY_SECONDS = 15

/**
 * Makes a button's calls within about ten seconds, whatever the provider does. Administrators see the provider's
 * reason; for everyone else it is only logged.
 * @throws AppError PAYMENTS_UNREACHABLE with the button's own message if the provider did not respond or refused
 */
async function callProvider<T>(
  { stripe, log, actor }: { stripe: StripeClient; log: Log; actor: Actor },
  sentence: string,
  work: (calls: ProviderCalls) => Promise<T>,
): Promise<T> {
  try {
    return await work(stripe.within(CLICK_TIMEOUT_MS))
  } catch (error) {
    if (error instanceof AppError && error.cause instanceof Error) {
      log.warn({ reason: error.cause.message }, sentence)
      throw isAdmin(actor) ? new AppError(error.code, `${error.message} ${error.cause.message}`) : error
    }
    if (!(error instanceof ProviderFailure)) throw error
    log.warn(error.facts, sentence)
    const shown = isAdmin(actor) ? `${sentence}. The reason: ${error.message}` : sentence
    throw new AppError('PAYMENTS_UNREACHABLE', shown, { retryAfterSeconds: RETRY_SECONDS, cause: error })
  }
}

type Deps = {
  db: Db
  /** Undefined if payments are off. */
  stripe: StripeClient | undefined
  /** PRO_PRICE_TEXT. */
  priceText: string
  publicUrl: string
  log: Log
}

type Request = Pick<HandlerRequest<typeof billingEndpoints.upgrade>, 'headers' | 'ip' | 'requestId'> & {
  actor: Actor
}

const MOCK = { mock: true } as const
const NOTHING = { available: [], pending: [] }

export function billingRoutes({
  db,
  stripe,
  priceText,
  publicUrl,
  log,
}: Deps): Handlers<typeof billingEndpoints> {
  const userOf = async ({ userId }: Actor) => presentUser(await getProfile(db, userId))

  const addressOf = ({ headers }: Request) => returnAddress(publicUrl, headers.host)

  /** A button that calls the provider, or returns `off` if payments are off. */
  const button =
    <T, Off>(sentence: string, off: Off, work: (calls: ProviderCalls, request: Request) => Promise<T>) =>
    async (request: Request): Promise<T | Off> => {
      if (!stripe) return off
      return callProvider({ stripe, log, actor: request.actor }, sentence, (calls) => work(calls, request))
    }

  const sold = { stripe: { priceId: stripe?.priceId ?? '' }, priceText }
  const checkout = (sentence: string) =>
    button(sentence, MOCK, (calls, request) =>
      startCheckout({ db, calls, sold, publicUrl: addressOf(request), from: from(request) }, request.actor),
    )
  const onboardingLink = (sentence: string) =>
    button(sentence, MOCK, async (calls, request) => ({
      url: await openOnboarding(
        { db, calls, publicUrl: addressOf(request), from: from(request) },
        request.actor,
      ),
    }))
  const refresh = button('Unable to refresh Stripe status', undefined, async (calls, { actor }) => {
    await Promise.all([syncSubscription(db, calls, actor.sellerId), syncConnect(db, calls, actor.sellerId)])
  })

  return {
    choosePlan: async (request) => {
      const { plan } = await request.body()
      const choice = { plan, from: from(request), canRead: stripe !== undefined }
      const next = await choosePlan(db, request.actor, choice)
      return { user: await userOf(request.actor), next }
    },
    startFreeOnboarding: onboardingLink('Unable to start free onboarding'),
    resumeOnboarding: onboardingLink('Unable to resume Stripe onboarding'),
    startCheckout: checkout('Unable to start checkout'),
    upgrade: checkout('Unable to upgrade right now'),
    confirmCheckout: async (request) => {
      const { sessionId } = await request.body()
      const { sellerId } = request.actor
      const confirm = button('Unable to verify subscription', false, (calls) =>
        confirmCheckout({ db, calls }, { sellerId, sessionId }),
      )
      const ok = await confirm(request)
      return { ok, user: await userOf(request.actor) }
    },
    openBillingPortal: button('Unable to open billing portal', MOCK, async (calls, request) => ({
      url: await openBillingPortal({ db, calls, publicUrl: addressOf(request) }, request.actor.sellerId),
    })),
    refreshAccount: async (request) => {
      await refresh(request)
      return { user: await userOf(request.actor) }
    },
    readBalance: button('Unable to fetch Stripe balance', NOTHING, async (calls, { actor }) => {
      const { accountId } = await getStanding(db, actor.sellerId)
      return accountId === null ? NOTHING : calls.getBalance(accountId)
    }),
    openPayoutSettings: button('Unable to open payout settings', MOCK, async (calls, request) => ({
      url: await openPayoutSettings(
        { db, calls, publicUrl: addressOf(request), from: from(request) },
        request.actor,
      ),
    })),
  }
}

const nameOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/**
 * Returns the address the provider sends people back to. On a local machine, a session belongs to the host name it was
 * opened under: people at 127.0.0.1 must not return to localhost, signed out. Other host names are not taken from the
 * header, which anyone can forge.
 */
function returnAddress(publicUrl: string, host: string | string[] | undefined): string {
  const own = new URL(publicUrl)
  const asked = URL.parse(`${own.protocol}//${String(host)}`)
  const isLocal = asked !== null && isLoopback(nameOf(own)) && isLoopback(nameOf(asked))
  return isLocal && asked.port === own.port && asked.pathname === '/' ? asked.origin : publicUrl
}

const from = ({ ip, requestId }: Request) => ({ ip, requestId })

// The provider's largest events are some tens of kB.
const MAX_EVENT_BYTES = 256 * 1024

/** Receives the provider's events. The signature covers the raw bytes, so Fastify must not parse the body. */
export async function serveStripeWebhook(
  app: FastifyInstance,
  deps: { db: Db; stripe: StripeClient },
): Promise<void> {
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.route({
      ...otherRoute('stripeWebhook'),
      bodyLimit: MAX_EVENT_BYTES,
      handler: async (request) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const signature = request.headers['stripe-signature']
        await receiveEvent(deps, { body, signature: typeof signature === 'string' ? signature : undefined })
        return { ok: true }
      },
    })
    done()
  })
}
