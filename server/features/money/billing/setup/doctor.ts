import { sql } from 'kysely'
import { CONNECT_EVENTS, PLATFORM_EVENTS } from '#server/features/money/billing/events.ts'
import { ProviderFailure } from '#server/features/money/billing/provider.ts'
import { openStripeClient, secretName } from '#server/features/money/billing/stripe/stripe-client.ts'
import { isLiveKey, type Payments } from '#server/payments-settings.ts'
import type { Db } from '#server/platform/database/database.ts'
import { priceInWords, priceProblem } from './pro-price.ts'
import { CHECK_MS, type Endpoint, openStripeSetup, type Platform, type StripeSetup } from './stripe-setup.ts'

/* Checks everything needed to take payments, one by one. */

export type Check = {
  readonly name: string
  /** `unproven`: nothing is wrong, but only a real event can prove that it works. */
  readonly state: 'ok' | 'missing' | 'unproven'
  readonly found: string
  /** What to do, unless it is ok. */
  readonly todo?: string
}

export type DoctorDeps = {
  db: Db
  payments: Exclude<Payments, { kind: 'off' }>
  /** PRO_PRICE_TEXT. */
  priceText: string
  publicUrl: string
  /** Whether buyers' money passes through the account (ORDERS). */
  hasOrders: boolean
  /** Whether Stripe computes sales tax for them (STRIPE_TAX). */
  hasTax: boolean
}

type Context = DoctorDeps & { setup: StripeSetup; isLive: boolean }

/**
 * Checks the settings, the operator's account at the provider and its deliveries, in setup order. Without an accepted
 * key the rest cannot be checked.
 */
export async function* checkPayments(deps: DoctorDeps): AsyncGenerator<Check> {
  const { payments } = deps
  const context = { ...deps, setup: openStripeSetup(payments), isLive: isLiveKey(payments.secretKey) }
  yield checkAddress(context)
  const platform = await checkKey(context)
  if ('state' in platform) {
    yield platform
    return
  }
  yield ok('Key', `${context.isLive ? 'a live' : 'a test'} key of the account ${platform.id}`)
  yield checkClock(platform)
  yield checkCharges(platform)
  if (context.hasOrders) yield checkPayoutSchedule(platform)
  if (context.hasTax) yield await orFailure('Sales tax', () => checkTax(context))
  yield* checkPermissions(context)
  yield await orFailure('Price', () => checkPrice(context))
  yield await orFailure('Connect', () => checkConnect(context))
  yield await orFailure('Portal', () => checkPortal(context))
  yield await checkReachable(context)
  yield* checkEndpoints(context)
  yield* checkSecrets(context)
  yield await orFailure('Deliveries', () => checkUndelivered(context))
  yield await checkSellers(context)
}

const ok = (name: string, found: string): Check => ({ name, state: 'ok', found })
const missing = (name: string, found: string, todo: string): Check => ({
  name,
  state: 'missing',
  found,
  todo,
})

/** A check that the provider refuses counts as missing. */
async function orFailure(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check()
  } catch (error) {
    return failed(name, error)
  }
}

function failed(name: string, error: unknown): Check {
  if (!(error instanceof ProviderFailure)) throw error
  const { lackingPermission: permission } = error
  return permission === undefined
    ? missing(name, error.message, 'Check this machine’s internet connection, then try again.')
    : missing(name, `the key lacks the permission ${permission}`, 'Add it to the restricted key in Stripe.')
}

function checkAddress({ publicUrl, isLive, payments }: Context): Check {
  const name = 'Address'
  if (publicUrl.startsWith('https://')) return ok(name, publicUrl)
  if (!isLive && payments.kind === 'simulator') return ok(name, `${publicUrl} (test payments need no https)`)
  return missing(
    name,
    `PUBLIC_URL is not https: ${publicUrl}`,
    'Set PUBLIC_URL to your https:// address: Stripe sends webhooks to no other, and customers return there after paying.',
  )
}

async function checkKey({ setup }: Context): Promise<Platform | Check> {
  try {
    return await setup.getPlatform()
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (error.status === 401) {
      return missing(
        'Key',
        'Stripe does not accept STRIPE_SECRET_KEY',
        'Copy the key again from Developers, API keys.',
      )
    }
    return failed('Key', error)
  }
}

/** Automatic payouts would send money that is held for yards to the operator's bank. */
function checkPayoutSchedule({ payoutSchedule }: Platform): Check {
  const name = 'Payout schedule'
  if (payoutSchedule === 'manual') return ok(name, 'manual: money that is held for yards stays')
  return missing(
    name,
    `Stripe pays out by itself (${payoutSchedule}), also money that is held for yards`,
    'In Stripe, open Settings, Payouts, and choose Manual.',
  )
}

/** Without a registration Stripe computes no tax and reports no error, and it cannot be collected later. */
async function checkTax({ setup }: Context): Promise<Check> {
  const name = 'Sales tax'
  const places = await setup.listTaxRegistrations()
  if (places.length > 0) return ok(name, `collected in ${places.join(', ')}`)
  return missing(
    name,
    'Stripe has no registration, so it computes no tax for any order, and it cannot be collected later',
    'In Stripe, open Tax, Registrations, and add each state in which you are registered; or set STRIPE_TAX=off.',
  )
}

// Stripe's signatures are rejected after five minutes.
const WORRYING_SKEW_MS = 60_000

function checkClock({ clockAheadMs }: Platform): Check {
  const seconds = Math.round(Math.abs(clockAheadMs) / 1_000)
  if (Math.abs(clockAheadMs) < WORRYING_SKEW_MS)
    return ok('Clock', `within ${Math.max(seconds, 1)} s of Stripe’s`)
  const way = clockAheadMs > 0 ? 'behind' : 'ahead of'
  return missing(
    'Clock',
    `this machine is ${seconds} s ${way} Stripe`,
    'Synchronize the clock with NTP (such as with systemd-timesyncd): webhooks more than 300 s off are refused.',
  )
}

function checkCharges({ id, chargesEnabled }: Platform): Check {
  if (chargesEnabled) return ok('Account', 'may charge cards')
  return missing(
    'Account',
    `${id} cannot charge cards yet`,
    'Activate the account in Stripe: business details, bank account and identity.',
  )
}

/** A secret key may do everything. A restricted one is tested with calls about ids that do not exist. */
async function* checkPermissions({ setup, payments }: Context): AsyncGenerator<Check> {
  if (!payments.secretKey.startsWith('rk_')) {
    yield ok('Permissions', 'a secret key may do everything; a restricted key would be safer')
    return
  }
  for (const { permission, try: attempt } of setup.probes) {
    const lacking = await attempt().then(
      () => undefined,
      (error: unknown) => (error instanceof ProviderFailure ? error.lackingPermission : undefined),
    )
    yield lacking === undefined
      ? ok('Permissions', permission)
      : missing(
          'Permissions',
          `${permission} is refused (${lacking})`,
          'Add it to the restricted key in Stripe.',
        )
  }
}

async function checkPrice({ payments, priceText }: Context): Promise<Check> {
  const { proPriceId } = payments
  const price = await openStripeClient(payments).within(CHECK_MS).findPrice()
  const problem = priceProblem(price, proPriceId, priceText)
  if (problem === null && price?.amount != null) {
    return ok('Price', `${proPriceId} is ${priceInWords(price.amount, price.currency)} a month`)
  }
  const [found = '', ...todo] = (problem ?? '').split('. ')
  return missing('Price', found, todo.join('. '))
}

async function checkConnect({ setup }: Context): Promise<Check> {
  try {
    await setup.probeConnect()
    return ok('Connect', 'sellers can be paid out')
  } catch (error) {
    if (!(error instanceof ProviderFailure && error.isWithoutConnect)) throw error
    const todo =
      'Sign up under Connect in the Stripe dashboard, as a platform or marketplace with Express accounts.'
    return missing('Connect', 'this account has not signed up for Connect', todo)
  }
}

async function checkPortal({ setup }: Context): Promise<Check> {
  const portal = await setup.findPortal()
  const where = 'in Settings, Billing, Customer portal'
  if (!portal) return missing('Portal', 'it was never saved', `Open it ${where} and press Save.`)
  const off = [!portal.canCancel && 'cancel', !portal.canChangeCard && 'change their card'].filter(Boolean)
  if (off.length === 0) return ok('Portal', 'people can cancel and change their card')
  return missing('Portal', `people cannot ${off.join(' or ')} there`, `Turn that on ${where}.`)
}

const WEBHOOK_PATH = '/api/webhooks/stripe'
const REACH_MS = 8_000

/** Sends an unsigned request: our own reply shows that the address leads here. */
async function checkReachable({ publicUrl }: Context): Promise<Check> {
  const url = `${publicUrl}${WEBHOOK_PATH}`
  const body = {
    method: 'POST',
    body: '{}',
    redirect: 'manual',
    signal: AbortSignal.timeout(REACH_MS),
  } as const
  const reply = await fetch(url, body).then(
    async (answer) => ({ status: answer.status, text: await answer.text() }),
    (error: unknown) => ({
      status: 0,
      text: String(error instanceof Error ? (error.cause ?? error) : error),
    }),
  )
  if (reply.status === 400 && reply.text.includes('"MALFORMED"'))
    return ok('Webhook address', `${url} answers`)
  return missing(
    'Webhook address',
    reply.status === 0 ? `${url} does not respond: ${reply.text}` : `${url} answers ${reply.status}`,
    'Start PartHarbor and check that your proxy passes this path on unchanged, without a redirect.',
  )
}

const KINDS = [
  { name: 'Webhooks of your account', isConnect: false, events: PLATFORM_EVENTS, from: 'Your account' },
  {
    name: 'Webhooks of connected accounts',
    isConnect: true,
    events: CONNECT_EVENTS,
    from: 'Connected accounts',
  },
] as const

async function* checkEndpoints(context: Context): AsyncGenerator<Check> {
  let all: Endpoint[]
  try {
    all = await context.setup.listEndpoints()
  } catch (error) {
    yield failed('Webhooks', error)
    return
  }
  for (const kind of KINDS) {
    const ours = all.filter((endpoint) => endpoint.isConnect === kind.isConnect && isOurs(context, endpoint))
    yield checkEndpoint(context, kind, ours)
  }
}

/** The simulator always sends to this machine, whatever the public address. */
const isOurs = ({ publicUrl, payments }: Context, { url }: Endpoint): boolean =>
  payments.kind === 'simulator' ? url.endsWith(WEBHOOK_PATH) : url === `${publicUrl}${WEBHOOK_PATH}`

function checkEndpoint(
  { publicUrl }: Context,
  { name, events, from }: (typeof KINDS)[number],
  ours: readonly Endpoint[],
): Check {
  const url = `${publicUrl}${WEBHOOK_PATH}`
  const [endpoint] = ours.toSorted((a, b) => Number(b.isEnabled) - Number(a.isEnabled))
  if (!endpoint) {
    return missing(
      name,
      `there is no endpoint for ${url}`,
      `In Developers, Webhooks, add one: events from “${from}”, payload style Snapshot, ${events.join(', ')}.`,
    )
  }
  if (!endpoint.isEnabled)
    return missing(name, `${endpoint.id} is disabled`, 'Enable it in Developers, Webhooks.')
  const lacking = events.filter((event) => !endpoint.events.includes(event) && !endpoint.events.includes('*'))
  if (lacking.length === 0) return ok(name, `${endpoint.id} sends all required events`)
  return missing(name, `${endpoint.id} does not send ${lacking.join(', ')}`, 'Add these events to it.')
}

/** Stripe shows a secret only once, so events signed with it are the only proof. */
async function* checkSecrets({ db, payments }: Context): AsyncGenerator<Check> {
  const secrets = payments.webhookSecret.split(',').map(secretName)
  const isTest = payments.kind === 'simulator'
  if (secrets.length < KINDS.length && !isTest) {
    yield missing(
      'Secrets',
      'STRIPE_WEBHOOK_SECRET has one secret, and each of the two endpoints has its own',
      'Copy the signing secret of both endpoints and set both, separated by a comma.',
    )
  }
  const { rows } = await sql<{ connected: boolean; signedBy: string; at: Date }>`
    select distinct on (connected) connected, signed_by as "signedBy", received_at as at
    from stripe_event where signed_by is not null
    order by connected, received_at desc`.execute(db)
  for (const { name, isConnect } of KINDS) {
    const last = rows.find(({ connected }) => connected === isConnect)
    const from = name.replace('Webhooks', 'Secret')
    if (!last) {
      yield {
        name: from,
        state: 'unproven',
        found: 'no event has arrived yet',
        todo: isConnect
          ? 'Start a payout onboarding, then run this again.'
          : 'Open a checkout and pay with a test card, then run this again.',
      }
    } else if (secrets.includes(last.signedBy)) {
      yield ok(from, `an event arrived ${last.at.toISOString()}`)
    } else {
      yield {
        name: from,
        state: 'unproven',
        found: `the last event arrived ${last.at.toISOString()}, signed with a secret that is not set any more`,
        todo: 'Wait for the next event, or resend one in Developers, Webhooks, then run this again.',
      }
    }
  }
}

async function checkUndelivered({ setup }: Context): Promise<Check> {
  const late = await setup.findUndelivered()
  if (!late) return ok('Deliveries', 'Stripe has delivered every event')
  return missing(
    'Deliveries',
    `Stripe could not deliver ${late.type} (${late.id}) of ${late.at.toISOString()}`,
    'Developers, Webhooks shows our reply to it. After fixing it, resend the event, or run “payments reconcile”.',
  )
}

/** Sellers whose plan needs an administrator. */
async function checkSellers({ db }: Context): Promise<Check> {
  const { rows } = await sql<{ slug: string; problem: string }>`
    select slug, plan_problem as problem from seller where plan_problem is not null order by id limit 21
  `.execute(db)
  if (rows.length === 0) return ok('Sellers', 'no plan needs a look')
  const elsewhere = rows.filter(({ problem }) => problem === 'OTHER_HOME').map(({ slug }) => slug)
  const otherPrice = rows.filter(({ problem }) => problem === 'OTHER_PRICE').map(({ slug }) => slug)
  return missing(
    'Sellers',
    [
      elsewhere.length > 0 && `of another Stripe account or mode: ${elsewhere.join(', ')}`,
      otherPrice.length > 0 && `paying for something that is not Pro: ${otherPrice.join(', ')}`,
    ]
      .filter(Boolean)
      .join('; '),
    'Use the key of the account that sold to them; add a former price of Pro to STRIPE_PRO_PRICE_ID; or end the subscription in Stripe.',
  )
}
