import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type Config,
  ConfigError,
  nearMisses,
  onPort,
  readConfig,
  SETTINGS,
  settingsOf,
} from '#server/config.ts'

type Settings = Record<string, string>

function problemsOf(settings: Settings): readonly string[] {
  try {
    readConfig(settings)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

// Joined here, because the tree may contain nothing that looks like a live key.
const LIVE_KEY = ['sk', 'live', 'abc'].join('_')
const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
  STRIPE_PRO_PRICE_ID: 'price_abc',
}
const SIMULATOR = {
  kind: 'simulator',
  url: 'http://127.0.0.1:12111',
  secretKey: 'sk_test_simulator',
  webhookSecret: 'whsec_test_payments',
  proPriceId: 'price_pro_monthly',
  formerPriceIds: [],
} as const
const NEW_DATABASE = { DATABASE_URL: 'postgres://parts:pw@db.example:5432/parts' }
const MAIL = { SMTP_URL: 'smtp://mail.example', SUPPORT_EMAIL: 'help@parts.example' }
const OWN_DATABASE = { ...NEW_DATABASE, ...MAIL }

test('without any setting: the demo on this machine', () => {
  expect(readConfig({})).toEqual({
    mode: 'demo',
    productName: 'PartHarbor',
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    dataDir: resolve('.data'),
    databaseUrl: undefined,
    databaseReadUrl: undefined,
    databaseDirectUrl: undefined,
    demoData: true,
    payments: SIMULATOR,
    proPriceText: '$149',
    orders: true,
    salesTax: false,
    openai: { apiKey: undefined, baseUrl: undefined, model: 'gpt-5-mini' },
    storage: { kind: 'fs', dir: resolve('.data/files') },
    smtpUrl: undefined,
    supportEmail: 'support@partharbor.example',
    confirming: { registrations: false, changes: true },
    findPartsUrl: undefined,
    indexNow: undefined,
    adminPreview: true,
    adminsNeedFactor: false,
    importReview: 'auto',
    firstImport: { live: 500, waitMinutes: 0 },
    stagingAllowedPrefixes: [],
    corsOrigins: [],
    trustedProxies: [],
    operators: { open: true, token: undefined, networks: [], trustsProxies: false },
    backup: {
      dir: resolve('.data/backups'),
      passphrase: undefined,
      at: undefined,
      keep: { daily: 7, weekly: 4 },
    },
    jobPollMs: 1_000,
    logLevel: undefined,
    tracing: undefined,
    releaseVersion: undefined,
  } satisfies Config)
})

describe('what a setting becomes', () => {
  const table: [settings: Settings, becomes: Partial<Config>][] = [
    [{ PORT: '0' }, { port: 0 }],
    [
      {
        ...MAIL,
        DATABASE_URL: 'postgres://pool:6432/parts',
        DATABASE_DIRECT_URL: 'postgres://db:5432/parts',
      },
      {
        databaseUrl: 'postgres://pool:6432/parts?pooler=transaction',
        databaseDirectUrl: 'postgres://db:5432/parts',
      },
    ],
    [
      { ...MAIL, DATABASE_URL: 'postgres://db:5432/parts', DATABASE_DIRECT_URL: 'postgres://db:5432/parts' },
      { databaseUrl: 'postgres://db:5432/parts' },
    ],
    [{ PORT: ' 8080 ' }, { port: 8080, publicUrl: 'http://localhost:8080' }],
    [{ PORT: '' }, { port: 3000 }],
    [{ HOST: 'localhost' }, { host: '127.0.0.1' }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ PUBLIC_URL: 'https://parts.example/' }, { publicUrl: 'https://parts.example' }],
    [OWN_DATABASE, { mode: 'production', demoData: false, payments: { kind: 'off' } }],
    [{ ...OWN_DATABASE, HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [
      { ...OWN_DATABASE, APP_MODE: 'demo' },
      { demoData: false, payments: SIMULATOR },
    ],
    [{ ...OWN_DATABASE, APP_MODE: 'demo', DEMO_DATA: 'on' }, { demoData: true }],
    [
      { ...MAIL, APP_MODE: 'production' },
      { mode: 'production', demoData: false, payments: { kind: 'off' } },
    ],
    [{ DEMO_DATA: 'off' }, { demoData: false }],
    [{ ...MAIL, APP_MODE: 'production' }, { adminsNeedFactor: true }],
    [{ ...MAIL, APP_MODE: 'production', ADMIN_MFA: 'off' }, { adminsNeedFactor: false }],
    [{ ADMIN_MFA: 'on' }, { adminsNeedFactor: false }],
    [OWN_DATABASE, { confirming: { registrations: true, changes: true } }],
    [{ DEMO_CONFIRM: 'off' }, { confirming: { registrations: true, changes: true } }],
    [
      { ...NEW_DATABASE, EMAIL_CONFIRM: 'off' },
      { smtpUrl: undefined, confirming: { registrations: false, changes: false } },
    ],
    [
      STRIPE,
      {
        payments: {
          kind: 'stripe',
          secretKey: 'sk_test_abc',
          webhookSecret: 'whsec_abc',
          proPriceId: 'price_abc',
          formerPriceIds: [],
        },
      },
    ],
    [
      {
        ...STRIPE,
        STRIPE_PRO_PRICE_ID: 'price_new,price_old',
        STRIPE_SECRET_KEY: LIVE_KEY,
        PUBLIC_URL: 'https://parts.example',
      },
      {
        payments: {
          kind: 'stripe',
          secretKey: LIVE_KEY,
          webhookSecret: 'whsec_abc',
          proPriceId: 'price_new',
          formerPriceIds: ['price_old'],
        },
      },
    ],
    [{ ...STRIPE, PAYMENTS: 'off' }, { payments: { kind: 'off' } }],
    [{ ...STRIPE, PAYMENTS: 'simulator' }, { payments: SIMULATOR }],
    [
      { SIMULATOR_URL: 'http://127.0.0.1:4001/' },
      { payments: { ...SIMULATOR, url: 'http://127.0.0.1:4001' } },
    ],
    [
      { STORAGE: 's3', S3_BUCKET: 'parts', S3_ENDPOINT: 'http://127.0.0.1:9000' },
      {
        storage: {
          kind: 's3',
          bucket: 'parts',
          region: 'us-east-1',
          endpoint: 'http://127.0.0.1:9000',
          forcePathStyle: true,
          credentials: undefined,
        },
      },
    ],
    [
      { CORS_ORIGINS: 'https://a.example, http://b.example:81,' },
      { corsOrigins: ['https://a.example', 'http://b.example:81'] },
    ],
    [{ TRUSTED_PROXIES: '10.0.0.0/8,::1' }, { trustedProxies: ['10.0.0.0/8', '::1'] }],
    [{}, { operators: { open: true, token: undefined, networks: [], trustsProxies: false } }],
    [
      { ...OWN_DATABASE, OPS_TOKEN: 'sixteen-letters-', OPS_NETWORKS: '10.0.0.0/8,::1' },
      {
        operators: {
          open: false,
          token: 'sixteen-letters-',
          networks: ['10.0.0.0/8', '::1'],
          trustsProxies: false,
        },
      },
    ],
    [{ STAGING_ALLOWED_PREFIXES: '/srv/in,/srv/out' }, { stagingAllowedPrefixes: ['/srv/in', '/srv/out'] }],
    [
      { ADMIN_PREVIEW: 'off', IMPORT_REVIEW: 'manual' },
      { adminPreview: false, importReview: 'manual' },
    ],
  ]
  test.each(table)('%o', (settings, becomes) => {
    expect(readConfig(settings)).toMatchObject(becomes)
  })
})

const NO_SMTP =
  'SMTP_URL must be set while APP_MODE is production: people confirm their email addresses with a link (to do without, set EMAIL_CONFIRM=off)'
const OUR_SENDER =
  'SUPPORT_EMAIL must be an address of your own while APP_MODE is production: mail is sent from it'

describe('a wrong setting is named with what is allowed', () => {
  const table: [settings: Settings, problems: string[]][] = [
    [{ PORT: '65536' }, ['PORT must be a whole number from 0 to 65535']],
    [{ PORT: '80.5' }, ['PORT must be a whole number from 0 to 65535']],
    [{ HOST: 'parts' }, ['HOST must be an IP address or localhost']],
    [
      { HOST: '0.0.0.0' },
      ['HOST must be 127.0.0.1, ::1 or localhost while APP_MODE is demo: everyone knows the demo passwords'],
    ],
    [{ APP_MODE: 'dev' }, ['APP_MODE must be one of demo, production']],
    [
      { PUBLIC_URL: 'parts.example' },
      ['PUBLIC_URL must be an address without a path, such as https://parts.example'],
    ],
    [
      { PUBLIC_URL: 'https://parts.example/shop' },
      ['PUBLIC_URL must be an address without a path, such as https://parts.example'],
    ],
    [
      { ...MAIL, DATABASE_URL: 'mysql://db/parts' },
      ['DATABASE_URL must be an address that begins with postgres:// or postgresql://'],
    ],
    [
      { DATABASE_READ_URL: 'postgres://db/parts' },
      ['DATABASE_URL must be set together with DATABASE_READ_URL'],
    ],
    [
      { ...OWN_DATABASE, PAYMENTS: 'simulator' },
      ['PAYMENTS must be stripe or off while APP_MODE is production'],
    ],
    [
      { ...STRIPE, STRIPE_SECRET_KEY: LIVE_KEY.replace('sk', 'rk'), PUBLIC_URL: 'http://parts.example' },
      [
        'PUBLIC_URL must begin with https:// while STRIPE_SECRET_KEY is a live key: customers return there after paying',
      ],
    ],
    [{ ...OWN_DATABASE, DEMO_DATA: 'on' }, ['DEMO_DATA must be off while APP_MODE is production']],
    [
      { STRIPE_TAX: 'on', PAYMENTS: 'off' },
      ['STRIPE_TAX must be off without payments: Stripe computes the tax'],
    ],
    [{ BACKUP_AT: '02:30' }, ['BACKUP_PASSPHRASE must be set together with BACKUP_AT']],
    [{ BACKUP_AT: '24:00' }, ['BACKUP_AT must be a time of day in UTC such as 02:30']],
    [{ BACKUP_PASSPHRASE: 'short' }, ['BACKUP_PASSPHRASE must be 16 to 500 characters']],
    [{ STORAGE: 's3' }, ['S3_BUCKET must be set while STORAGE is s3']],
    [{ S3_ACCESS_KEY_ID: 'a' }, ['S3_SECRET_ACCESS_KEY must be set together with S3_ACCESS_KEY_ID']],
    [
      { CORS_ORIGINS: '*' },
      ['CORS_ORIGINS must be origins such as https://shop.example, separated by commas'],
    ],
    [
      { TRUSTED_PROXIES: '10.0.0.0/33' },
      ['TRUSTED_PROXIES must be IP addresses or networks such as 10.0.0.0/8, separated by commas'],
    ],
    [{ OPS_TOKEN: 'secret' }, ['OPS_TOKEN must be 16 to 500 characters']],
    [
      { OPS_NETWORKS: 'office' },
      ['OPS_NETWORKS must be IP addresses or networks such as 10.0.0.0/8, separated by commas'],
    ],
    [
      { SIMULATOR_URL: '127.0.0.1:12111' },
      ['SIMULATOR_URL must be an address without a path, such as https://parts.example'],
    ],
    [
      { ...STRIPE, STRIPE_WEBHOOK_SECRET: 'whsec_a, b' },
      ['STRIPE_WEBHOOK_SECRET must be a Stripe signing secret (whsec_…), or several separated by commas'],
    ],
    [NEW_DATABASE, [NO_SMTP, OUR_SENDER]],
    [{ ...NEW_DATABASE, SUPPORT_EMAIL: 'help@parts.example' }, [NO_SMTP]],
    [{ ...NEW_DATABASE, SMTP_URL: 'smtp://mail.example' }, [OUR_SENDER]],
    [{ ...OWN_DATABASE, SUPPORT_EMAIL: 'Support@PartHarbor.example' }, [OUR_SENDER]],
    [{ ...NEW_DATABASE, SMTP_URL: 'smtp://mail.example', EMAIL_CONFIRM: 'off' }, [OUR_SENDER]],
    [{ SUPPORT_EMAIL: 'support' }, ['SUPPORT_EMAIL must be an email address']],
    [{ SMTP_URL: 'mail.example' }, ['SMTP_URL must be an address that begins with smtp:// or smtps://']],
    [
      { PAYMENTS: 'stripe' },
      [
        'STRIPE_SECRET_KEY must be set for payments with Stripe',
        'STRIPE_WEBHOOK_SECRET must be set for payments with Stripe',
        'STRIPE_PRO_PRICE_ID must be set for payments with Stripe',
      ],
    ],
  ]
  test.each(table)('%o', (settings, problems) => {
    expect(problemsOf(settings)).toEqual(problems)
  })
})

test('all problems are named at once, also those of settings that do not fit together', () => {
  expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud', HOST: '0.0.0.0', STORAGE: 's3' })).toEqual([
    'PORT must be a whole number from 0 to 65535',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    'HOST must be 127.0.0.1, ::1 or localhost while APP_MODE is demo: everyone knows the demo passwords',
    'S3_BUCKET must be set while STORAGE is s3',
  ])
})

test('a mistyped DATABASE_URL still means production: no second problem that is none', () => {
  expect(problemsOf({ ...MAIL, DATABASE_URL: 'db.example/parts', HOST: '0.0.0.0' })).toEqual([
    'DATABASE_URL must be an address that begins with postgres:// or postgresql://',
  ])
})

test('no value is echoed, whichever setting a secret was put into', () => {
  const names = [
    'PORT',
    'HOST',
    'DATABASE_URL',
    'PAYMENTS',
    'STRIPE_SECRET_KEY',
    'SMTP_URL',
    'SUPPORT_EMAIL',
    'CORS_ORIGINS',
  ]
  const problems = problemsOf(Object.fromEntries(names.map((name) => [name, 'hunter2-the-secret'])))
  expect(problems).toHaveLength(names.length)
  expect(new ConfigError(problems).message).not.toContain('hunter2')
})

describe('a process that is sent the settings of another runs with the same config', () => {
  const table: Settings[] = [
    { PORT: '8080' },
    { ...MAIL, APP_MODE: 'production' },
    { ...NEW_DATABASE, EMAIL_CONFIRM: 'off' },
    { DEMO_DATA: 'off', LOG_LEVEL: 'debug', SIMULATOR_URL: 'http://127.0.0.1:4001' },
    { PAYMENTS: 'off' },
    { ...OWN_DATABASE, ...STRIPE, PUBLIC_URL: 'https://parts.example' },
  ]
  test.each(table)('%o', (settings) => {
    const config: Config = { ...readConfig(settings), databaseUrl: 'postgres://a:b@127.0.0.1:5000/c' }
    expect(readConfig({ ...settings, ...settingsOf(config) })).toEqual(config)
  })
})

test('a free port that was found is in the address, unless that was set', () => {
  expect(onPort(readConfig({ PORT: '0' }), 4711)).toMatchObject({
    port: 4711,
    publicUrl: 'http://localhost:4711',
  })
  const config = readConfig({ PORT: '0', PUBLIC_URL: 'https://parts.example' })
  expect(onPort(config, 4711).publicUrl).toBe('https://parts.example')
})

test('docs/settings.md has every setting, and no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/settings.md'), 'utf8')
  const namesIn = (text: string) => Array.from(text.matchAll(/`([A-Z][A-Z\d_]+)`/g), ([, name]) => name)
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const names = Object.keys(SETTINGS.shape)
  expect(namesIn(page)).toEqual(expect.arrayContaining(names))
  expect(names).toEqual(expect.arrayContaining(rows.flatMap((row) => namesIn(row.split('|')[1] ?? ''))))
})

describe('variables that are no settings', () => {
  test.each([
    [
      { PUBLIC_ULR: 'https://x.example' },
      ['PUBLIC_ULR is not a setting and is ignored. Did you mean PUBLIC_URL?'],
    ],
    [{ Database_Url: 'x' }, ['Database_Url is not a setting and is ignored. Did you mean DATABASE_URL?']],
    [{ PROT: '80' }, ['PROT is not a setting and is ignored. Did you mean PORT?']],
    [
      { SMTP_HOST: 'mail.example' },
      ['SMTP_HOST is not a setting and is ignored. Settings that begin with SMTP_: SMTP_URL.'],
    ],
    [{ HOME: '/root', PATH: '/bin', SHELL: 'sh', LANG: 'C', EDITOR: 'vi', HOSTNAME: 'yard', PWD: '/' }, []],
    [{ PUBLIC_ULR: '', npm_lifecycle_event: 'start', NODE_ENV: 'production' }, []],
    [{ PORT: '3000', DATABASE_URL: 'postgres://x' }, []],
  ])('%j', (env, sentences) => {
    expect(nearMisses(env)).toEqual(sentences)
  })
})
