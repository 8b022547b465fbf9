import { resolve } from 'node:path'
import { z } from 'zod'
import { editsBetween } from '#contract/trade-language/spelling.ts'
import { behindPooler } from '#server/platform/database/pooler.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { FileStoreSettings } from '#server/platform/files/open-file-store.ts'
import { LOG_LEVELS, type LogLevel } from '#server/platform/log.ts'
import {
  address,
  check,
  choice,
  isHost,
  isLoopback,
  isNetwork,
  isOrigin,
  list,
  origin,
  text,
  wholeNumber,
} from '#server/platform/setting.ts'
import {
  readTracing,
  TRACING_SETTINGS,
  type TracingSettings,
} from '#server/platform/tracing/tracing-settings.ts'
import {
  isLiveKey,
  PAYMENT_SETTINGS,
  type Payments,
  paymentSettingsOf,
  readPayments,
} from './payments-settings.ts'

/** All settings from the environment, validated and with defaults. Addresses never end in a slash. */
export type Config = {
  readonly mode: 'demo' | 'production'
  readonly productName: string
  readonly port: number
  readonly host: string
  readonly publicUrl: string
  readonly dataDir: string
  /** Unset: the embedded database. */
  readonly databaseUrl: string | undefined
  /** A replica for reading public data; unset: `databaseUrl`. */
  readonly databaseReadUrl: string | undefined
  /** Bypasses a pooler, for LISTEN and session locks; unset: `databaseUrl`. */
  readonly databaseDirectUrl: string | undefined
  readonly demoData: boolean
  readonly payments: Payments
  /** The monthly price of Pro as shown on pages, such as "$149". */
  readonly proPriceText: string
  /** Whether parts can be bought. Orders already placed go on in any case. */
  readonly orders: boolean
  /** Whether the provider computes sales tax for orders. Those placed before stay as they are. */
  readonly salesTax: boolean
  readonly openai: {
    readonly apiKey: string | undefined
    readonly baseUrl: string | undefined
    readonly model: string
  }
  readonly storage: FileStoreSettings
  /** Unset: mail stays in the outbox and is not sent. */
  readonly smtpUrl: string | undefined
  readonly supportEmail: string
  /**
   * Which addresses are confirmed with an emailed link: `registrations` of new accounts, `changes` of everything else.
   */
  readonly confirming: { readonly registrations: boolean; readonly changes: boolean }
  readonly findPartsUrl: string | undefined
  /** Unset: search engines are not notified and find changes through the sitemap. */
  readonly indexNow: { readonly key: string; readonly perMinute: number } | undefined
  readonly adminPreview: boolean
  /** Whether administrators must set up two-step sign-in before they can use admin calls. */
  readonly adminsNeedFactor: boolean
  /** `auto`: sellers' imports go live without an administrator. */
  readonly importReview: 'manual' | 'auto'
  /** How many parts of a new seller's first imports go live at once, and how long the rest waits. */
  readonly firstImport: { readonly live: number; readonly waitMinutes: number }
  readonly stagingAllowedPrefixes: readonly string[]
  readonly corsOrigins: readonly string[]
  readonly trustedProxies: readonly string[]
  /** Who may read metrics and the API documentation; `open` to everyone in demo mode. */
  readonly operators: {
    readonly open: boolean
    readonly token: string | undefined
    readonly networks: readonly string[]
    readonly trustsProxies: boolean
  }
  readonly backup: {
    readonly dir: string
    /** Unset: backups are off. */
    readonly passphrase: string | undefined
    /** Time of the daily backup in UTC, such as "02:30"; unset: only by command. */
    readonly at: string | undefined
    readonly keep: { readonly daily: number; readonly weekly: number }
  }
  /** How often an idle worker checks for jobs. */
  readonly jobPollMs: number
  /** Unset: `info` in a standalone process, `warn` under `npm start`. */
  readonly logLevel: LogLevel | undefined
  /** Unset: tracing is off. */
  readonly tracing: TracingSettings | undefined
  /** Set where there is no git checkout, such as in a container image. */
  readonly releaseVersion: string | undefined
}

/** Lists all invalid settings and what each allows. Values are never included because they could be secrets. */
export class ConfigError extends Refusal {
  override name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? 'A setting is wrong' : `${problems.length} settings are wrong`
    super(`${count}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

const NETWORKS = 'must be IP addresses or networks such as 10.0.0.0/8, separated by commas'
/** A placeholder: nobody reads this mailbox, and no mail server can send from it. */
const OUR_EMAIL = 'support@partharbor.example'

export const SETTINGS = z.object({
  APP_MODE: choice('demo', 'production'),
  PRODUCT_NAME: text(1, 60).default('PartHarbor'),
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: check(isHost, 'must be an IP address or localhost').default('127.0.0.1'),
  PUBLIC_URL: origin(),
  DATA_DIR: text(1, 1_000).default('.data'),
  DATABASE_URL: address('postgres:', 'postgresql:'),
  DATABASE_READ_URL: address('postgres:', 'postgresql:'),
  DATABASE_DIRECT_URL: address('postgres:', 'postgresql:'),
  DEMO_DATA: choice('on', 'off'),
  ...PAYMENT_SETTINGS,
  ORDERS: choice('on', 'off'),
  OPENAI_API_KEY: text(1, 500),
  OPENAI_BASE_URL: address('http:', 'https:'),
  OPENAI_MODEL: check(
    (value) => /^[\w.:/@-]{1,100}$/.test(value),
    'must be the name of a model such as gpt-5-mini',
  ).default('gpt-5-mini'),
  STORAGE: choice('fs', 's3').default('fs'),
  S3_BUCKET: check(
    (value) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value),
    'must be the name of a bucket',
  ),
  S3_REGION: check((value) => /^[a-z0-9-]{1,40}$/.test(value), 'must be a region such as us-east-1').default(
    'us-east-1',
  ),
  S3_ENDPOINT: origin(),
  S3_FORCE_PATH_STYLE: choice('on', 'off'),
  S3_ACCESS_KEY_ID: text(1, 200),
  S3_SECRET_ACCESS_KEY: text(1, 500),
  SMTP_URL: address('smtp:', 'smtps:'),
  EMAIL_CONFIRM: choice('on', 'off').default('on'),
  DEMO_CONFIRM: choice('on', 'off').default('on'),
  SUPPORT_EMAIL: check((value) => z.email().safeParse(value).success, 'must be an email address').default(
    OUR_EMAIL,
  ),
  FIND_PARTS_URL: address('http:', 'https:'),
  INDEXNOW_KEY: check(
    (value) => /^[\da-z-]{8,128}$/i.test(value),
    'must be 8 to 128 letters, digits or hyphens, such as the output of "openssl rand -hex 16"',
  ),
  // IndexNow accepts at most 10,000 addresses a call.
  INDEXNOW_PER_MINUTE: wholeNumber(1, 10_000).default(1_000),
  ADMIN_PREVIEW: choice('on', 'off').default('on'),
  ADMIN_MFA: choice('on', 'off').default('on'),
  IMPORT_REVIEW: choice('manual', 'auto').default('auto'),
  FIRST_IMPORT_LIVE: wholeNumber(1, 1_000_000).default(500),
  FIRST_IMPORT_WAIT_MINUTES: wholeNumber(0, 10_080),
  STAGING_ALLOWED_PREFIXES: list(
    (value) => value.startsWith('/'),
    'must be absolute paths separated by commas',
  ).default([]),
  CORS_ORIGINS: list(isOrigin, 'must be origins such as https://shop.example, separated by commas').default(
    [],
  ),
  TRUSTED_PROXIES: list(isNetwork, NETWORKS).default([]),
  // Shorter tokens could be guessed at ten tries a second.
  OPS_TOKEN: text(16, 500),
  OPS_NETWORKS: list(isNetwork, NETWORKS).default([]),
  BACKUP_DIR: text(1, 1_000),
  // This passphrase decrypts everything, so it must not be a single word.
  BACKUP_PASSPHRASE: text(16, 500),
  BACKUP_AT: check(
    (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
    'must be a time of day in UTC such as 02:30',
  ),
  BACKUP_KEEP_DAILY: wholeNumber(1, 366).default(7),
  BACKUP_KEEP_WEEKLY: wholeNumber(0, 520).default(4),
  // This is how late a job may start; each check by an idle worker is one query.
  JOB_POLL_MS: wholeNumber(50, 60_000).default(1_000),
  LOG_LEVEL: choice(...LOG_LEVELS),
  ...TRACING_SETTINGS,
  RELEASE_VERSION: check((value) => /^[\w.+-]{1,60}$/.test(value), 'must be a version such as v1.2.0'),
})
type Settings = z.output<typeof SETTINGS>

/**
 * Reads every setting; nothing else reads the environment. An empty value counts as unset.
 * @throws ConfigError listing all problems
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  )
  const { set, wrong } = parseEach(given)
  const config = fillIn(set)
  const together = contradictions(set, config).filter((problem) => !wrong.has(problem.split(' ', 1)[0] ?? ''))
  const problems = [...wrong.values(), ...together]
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

// These prefixes are ours. Other programs' variables are ignored.
const OUR_PREFIXES = ['BACKUP_', 'FIRST_IMPORT_', 'S3_', 'SMTP_', 'STRIPE_', 'TRUSTED_']

/** Says which variables are not settings but were probably meant as one: they are ignored, and would pass as set. */
export function nearMisses(env: Readonly<Record<string, string | undefined>> = process.env): string[] {
  const known = Object.keys(SETTINGS.shape)
  return Object.keys(env)
    .filter((name) => env[name]?.trim() && !known.includes(name))
    .flatMap((name) => {
      const spelled = name.toUpperCase()
      // One edit in a short name, two in a long one: HOME is not HOST.
      const edits = (setting: string) => editsBetween(spelled, setting, setting.length < 8 ? 1 : 2)
      const [near] = known.filter((setting) => edits(setting) <= (setting.length < 8 ? 1 : 2))
      if (near) return [`${name} is not a setting and is ignored. Did you mean ${near}?`]
      const prefix = OUR_PREFIXES.find((one) => spelled.startsWith(one))
      if (!prefix) return []
      const family = known.filter((setting) => setting.startsWith(prefix)).join(', ')
      return [`${name} is not a setting and is ignored. Settings that begin with ${prefix}: ${family}.`]
    })
}

/** Returns the valid settings, and the problem with each of the others. */
function parseEach(given: Record<string, string>): { set: Settings; wrong: Map<string, string> } {
  const parsed = SETTINGS.safeParse(given)
  if (parsed.success) return { set: parsed.data, wrong: new Map() }
  const wrong = new Map(
    parsed.error.issues.map((issue) => [String(issue.path[0]), `${String(issue.path[0])} ${issue.message}`]),
  )
  const right = Object.entries(given).filter(([name]) => !wrong.has(name))
  // The mode depends on whether there is a DATABASE_URL, even a mistyped one.
  const database = wrong.has('DATABASE_URL') ? { DATABASE_URL: 'postgres://mistyped' } : {}
  return { set: SETTINGS.parse({ ...Object.fromEntries(right), ...database }), wrong }
}

function fillIn(set: Settings): Config {
  const mode = set.APP_MODE ?? (set.DATABASE_URL ? 'production' : 'demo')
  const dataDir = resolve(set.DATA_DIR)
  return {
    mode,
    productName: set.PRODUCT_NAME,
    port: set.PORT,
    host: set.HOST === 'localhost' ? '127.0.0.1' : set.HOST,
    publicUrl: set.PUBLIC_URL ?? localAddress(set.PORT),
    dataDir,
    databaseUrl: pooled(set, set.DATABASE_URL),
    databaseReadUrl: pooled(set, set.DATABASE_READ_URL),
    databaseDirectUrl: set.DATABASE_DIRECT_URL,
    demoData: set.DEMO_DATA ? set.DEMO_DATA === 'on' : mode === 'demo' && !set.DATABASE_URL,
    payments: readPayments(set, mode),
    proPriceText: set.PRO_PRICE_TEXT,
    orders: set.ORDERS ? set.ORDERS === 'on' : mode === 'demo',
    salesTax: set.STRIPE_TAX === 'on',
    openai: { apiKey: set.OPENAI_API_KEY, baseUrl: set.OPENAI_BASE_URL, model: set.OPENAI_MODEL },
    storage: storage(set, dataDir),
    smtpUrl: set.SMTP_URL,
    supportEmail: set.SUPPORT_EMAIL,
    confirming: {
      // In demo mode mail goes nowhere, so a new account confirms its address by itself.
      registrations: set.EMAIL_CONFIRM === 'on' && (mode === 'production' || set.DEMO_CONFIRM === 'off'),
      changes: set.EMAIL_CONFIRM === 'on',
    },
    findPartsUrl: set.FIND_PARTS_URL,
    indexNow: set.INDEXNOW_KEY ? { key: set.INDEXNOW_KEY, perMinute: set.INDEXNOW_PER_MINUTE } : undefined,
    adminPreview: set.ADMIN_PREVIEW === 'on',
    // The demo passwords are public, and people trying the demo should not need a phone.
    adminsNeedFactor: mode === 'production' && set.ADMIN_MFA === 'on',
    importReview: set.IMPORT_REVIEW,
    firstImport: {
      live: set.FIRST_IMPORT_LIVE,
      // Nobody reviews demo listings, and people trying the demo want to see their whole file live.
      waitMinutes: set.FIRST_IMPORT_WAIT_MINUTES ?? (mode === 'demo' ? 0 : 60),
    },
    stagingAllowedPrefixes: set.STAGING_ALLOWED_PREFIXES,
    corsOrigins: set.CORS_ORIGINS,
    trustedProxies: set.TRUSTED_PROXIES,
    operators: {
      open: mode === 'demo',
      token: set.OPS_TOKEN,
      networks: set.OPS_NETWORKS,
      trustsProxies: set.TRUSTED_PROXIES.length > 0,
    },
    backup: {
      dir: set.BACKUP_DIR ? resolve(set.BACKUP_DIR) : resolve(dataDir, 'backups'),
      passphrase: set.BACKUP_PASSPHRASE,
      at: set.BACKUP_AT,
      keep: { daily: set.BACKUP_KEEP_DAILY, weekly: set.BACKUP_KEEP_WEEKLY },
    },
    jobPollMs: set.JOB_POLL_MS,
    logLevel: set.LOG_LEVEL,
    tracing: readTracing(set),
    releaseVersion: set.RELEASE_VERSION,
  }
}

/** If a direct address is set too, the others point to a pooler. */
function pooled({ DATABASE_DIRECT_URL: direct }: Settings, url: string | undefined): string | undefined {
  return url === undefined || direct === undefined || direct === url ? url : behindPooler(url)
}

function storage(set: Settings, dataDir: string): FileStoreSettings {
  if (set.STORAGE === 'fs') return { kind: 'fs', dir: resolve(dataDir, 'files') }
  const accessKeyId = set.S3_ACCESS_KEY_ID
  const secretAccessKey = set.S3_SECRET_ACCESS_KEY
  return {
    kind: 's3',
    bucket: set.S3_BUCKET ?? '',
    region: set.S3_REGION,
    endpoint: set.S3_ENDPOINT,
    // S3 servers other than Amazon's rarely have a host name per bucket.
    forcePathStyle: set.S3_FORCE_PATH_STYLE
      ? set.S3_FORCE_PATH_STYLE === 'on'
      : set.S3_ENDPOINT !== undefined,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  }
}

/** Settings that are valid on their own but not together. */
function contradictions(set: Settings, config: Config): string[] {
  const required = (name: keyof Settings, reason: string) =>
    set[name] ? [] : [`${name} must be set ${reason}`]
  const production = config.mode === 'production'
  return [
    ...(config.mode === 'demo' && !isLoopback(config.host)
      ? ['HOST must be 127.0.0.1, ::1 or localhost while APP_MODE is demo: everyone knows the demo passwords']
      : []),
    ...paymentProblems(set, config),
    ...(production ? mailProblems(set) : []),
    ...(production && set.DEMO_DATA === 'on' ? ['DEMO_DATA must be off while APP_MODE is production'] : []),
    ...(config.storage.kind === 's3' ? required('S3_BUCKET', 'while STORAGE is s3') : []),
    ...(set.S3_SECRET_ACCESS_KEY ? required('S3_ACCESS_KEY_ID', 'together with S3_SECRET_ACCESS_KEY') : []),
    ...(set.S3_ACCESS_KEY_ID ? required('S3_SECRET_ACCESS_KEY', 'together with S3_ACCESS_KEY_ID') : []),
    ...(set.INDEXNOW_KEY ? required('PUBLIC_URL', 'together with INDEXNOW_KEY') : []),
    ...(set.BACKUP_AT ? required('BACKUP_PASSPHRASE', 'together with BACKUP_AT') : []),
    ...(set.DATABASE_READ_URL ? required('DATABASE_URL', 'together with DATABASE_READ_URL') : []),
    ...(set.DATABASE_DIRECT_URL ? required('DATABASE_URL', 'together with DATABASE_DIRECT_URL') : []),
  ]
}

function paymentProblems(set: Settings, { mode, payments, publicUrl }: Config): string[] {
  const names = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRO_PRICE_ID'] as const
  const unset = payments.kind === 'stripe' ? names.filter((name) => !set[name]) : []
  return [
    ...(mode === 'production' && payments.kind === 'simulator'
      ? ['PAYMENTS must be stripe or off while APP_MODE is production']
      : []),
    ...unset.map((name) => `${name} must be set for payments with Stripe`),
    ...(set.STRIPE_TAX === 'on' && payments.kind === 'off'
      ? ['STRIPE_TAX must be off without payments: Stripe computes the tax']
      : []),
    ...(isLiveKey(set.STRIPE_SECRET_KEY ?? '') && !publicUrl.startsWith('https://')
      ? [
          'PUBLIC_URL must begin with https:// while STRIPE_SECRET_KEY is a live key: customers return there after paying',
        ]
      : []),
  ]
}

/** Production needs a mail server to confirm addresses, and a sender address that accepts replies. */
function mailProblems(set: Settings): string[] {
  const confirms = set.EMAIL_CONFIRM === 'on'
  const isOurs = set.SUPPORT_EMAIL.toLowerCase() === OUR_EMAIL
  return [
    ...(confirms && !set.SMTP_URL
      ? [
          'SMTP_URL must be set while APP_MODE is production: people confirm their email addresses with a link (to do without, set EMAIL_CONFIRM=off)',
        ]
      : []),
    ...(isOurs && (confirms || set.SMTP_URL)
      ? ['SUPPORT_EMAIL must be an address of your own while APP_MODE is production: mail is sent from it']
      : []),
  ]
}

/** The same config on the port that was actually bound, for PORT=0. */
export function onPort(config: Config, port: number): Config {
  const follows = config.publicUrl === localAddress(config.port)
  return { ...config, port, publicUrl: follows ? localAddress(port) : config.publicUrl }
}

function localAddress(port: number): string {
  return `http://localhost:${port}`
}

/** Whether npm or a similar program started this process, which must then end with it. */
export function startedByNpm(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.npm_lifecycle_event !== undefined
}

/**
 * The environment variables that give a child process this same config. Settings whose default depends on DATABASE_URL
 * are explicit, because the child sees the embedded database as a DATABASE_URL.
 */
export function settingsOf(config: Config): Record<string, string> {
  return {
    APP_MODE: config.mode,
    PORT: String(config.port),
    PUBLIC_URL: config.publicUrl,
    DATA_DIR: config.dataDir,
    DATABASE_URL: config.databaseUrl ?? '',
    DEMO_DATA: config.demoData ? 'on' : 'off',
    EMAIL_CONFIRM: config.confirming.changes ? 'on' : 'off',
    ...paymentSettingsOf(config.payments),
    LOG_LEVEL: config.logLevel ?? '',
  }
}

/** The environment for a child process: this one's plus settings the child needs before it loads a file. */
export const environmentWith = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
})

/** The config of a child whose supervisor sent it `settingsOf`, which keeps secrets out of the environment. */
export function readSentConfig(settings: Readonly<Record<string, string>>): Config {
  return readConfig({ ...process.env, ...settings })
}
