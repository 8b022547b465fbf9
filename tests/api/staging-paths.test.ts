import { readdir } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import { atLength } from '#tests/support/at-length.ts'
import { partsFields } from '#tests/support/promotions.ts'
import { stageFile } from '#tests/support/stage-file.ts'
import { stagingDesk } from '#tests/support/staging-desk.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp({ STAGING_ALLOWED_PREFIXES: '/srv/staging,/data/marketplace' })
let admin: SignedIn
let seller: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
  seller = await app.signUp()
  await stageFile(app, { sellerId: seller.user.sellerId, rows: partsFields(2), path: '/yard/a.json' })
})

const STAGING = '/admin/automation/staging'
type Answered = { status: number; body: ErrorReply }

/** The calls that take a path, each with harmless other parameters. */
const calls: Record<string, (path: string, by: SignedIn) => Promise<Answered>> = {
  read: (path, { api }) => api.get(`${STAGING}/file?${new URLSearchParams({ root: 'ecomm', path })}`),
  save: (path, { api }) => api.put(`${STAGING}/file`, { root: 'ecomm', path, contents: '[]' }),
  window: (path, { api }) => api.get(`${STAGING}/rows?${new URLSearchParams({ root: 'ecomm', path })}`),
  patch: (path, { api }) => api.post(`${STAGING}/patch`, { root: 'ecomm', path, version: 1 }),
  restore: (path, { api }) => api.post(`${STAGING}/restore`, { root: 'ecomm', path, version: 1, current: 1 }),
  taxonomy: (path, { api }) => api.post(`${STAGING}/taxonomy`, { root: 'ecomm', path }),
  plan: (path, { api }) => api.post(`${STAGING}/plan`, { root: 'ecomm', path }),
  promote: (path, { api }) => api.post(`${STAGING}/promote`, { root: 'ecomm', paths: [path] }),
  undo: (path, { api }) => api.post(`${STAGING}/undo`, { root: 'ecomm', path }),
}

const attempts = waysOut()
/** The calls read a path alike. */
const some = atLength({ full: attempts, brief: attempts.filter((_, at) => at % 10 === 0) })

/** Everything stored, by name: database rows and files in the file store. */
async function everything() {
  const rows = await app.db
    .selectFrom('staging_file')
    .select(['root', 'path', 'version'])
    .orderBy('path')
    .execute()
  const files = await readdir(app.config.dataDir, { recursive: true })
  return { rows, files: files.toSorted() }
}

const refusedTargets = async (by: SignedIn) => {
  const rows = await app.db
    .selectFrom('audit_entry')
    .select('target')
    .where('action', '=', 'staging-path-refused')
    .where('actor_user_id', '=', by.user.id)
    .execute()
  return rows.map(({ target }) => target)
}

describe('paths that try to escape their root', () => {
  test('number more than two hundred', () => {
    expect(new Set(attempts).size).toBe(attempts.length)
    expect(attempts.length).toBeGreaterThan(200)
  })

  test.each(Object.entries(calls))(
    '%s refuses each in words and records who tried',
    { timeout: 60_000 },
    async (name, call) => {
      const by = await app.signUp({ role: 'admin' })
      const before = await everything()
      const wrong: unknown[] = []
      const written = new Set<string>()
      for (const path of name === 'read' ? attempts : some) {
        const { status, body } = await call(path, by)
        // Values the database cannot store at all are refused before their meaning is checked.
        const isUnstorable = path.includes('\0')
        if (status !== (isUnstorable ? 400 : 422) || !/^[A-Z“].*\.$/.test(body.error))
          wrong.push([path, status, body])
        written.add(`ecomm:${JSON.stringify(path.slice(0, 200))}`)
      }
      expect(wrong).toEqual([])
      const targets = await refusedTargets(by)
      expect([...written].filter((target) => !targets.includes(target))).toEqual([])
      expect(targets).toHaveLength(written.size)
      expect(await everything()).toEqual(before)
    },
  )

  test('a job given such a path is refused and recorded as well', async () => {
    const by = await app.signUp({ role: 'admin' })
    const enqueue = (path: string) =>
      by.api.post<ErrorReply>('/admin/automation/jobs', {
        queue: 'h1Optimizer',
        payload: { scriptId: 'h1-optimizer', flags: {}, source: { root: 'ecomm', path } },
      })
    const tried = ['../a.json', '..+..+a.json', '%2e%2e/a.json', 'a\0.json', '/yard/..\\a.json']
    for (const path of tried) expect([400, 422], path).toContain((await enqueue(path)).status)
    expect((await enqueue('/yard/a.exe')).status).toBe(422)
    expect((await refusedTargets(by)).toSorted()).toEqual(
      tried.map((path) => `ecomm:${JSON.stringify(path)}`).toSorted(),
    )
  })

  test('percent-encoded paths are treated like their decoded form', async () => {
    const raw = [
      '..%2f..%2fetc%2fpasswd.json',
      '%2e%2e%2fa.json',
      '%252e%252e%252fa.json',
      '..+..+a.json',
      '%c0%ae%c0%ae/a.json',
      '%ff.json',
      '%00.json',
    ]
    for (const path of raw) {
      const { status, body } = await admin.api.get<ErrorReply>(`${STAGING}/file?root=ecomm&path=${path}`)
      expect([400, 422], `${path}: ${JSON.stringify(body)}`).toContain(status)
    }
  })
})

describe('paths that are merely wrong', () => {
  test.each([
    ['/yard/a.exe', 'The path must end in .json or .csv.'],
    ['/yard/a.json.exe', 'The path must end in .json or .csv.'],
    ['/yard/a', 'The path must end in .json or .csv.'],
    ['/yard/a.php', 'The path must end in .json or .csv.'],
    ['/yard/a|b.json', '“a|b.json” contains characters that are not allowed in a path.'],
  ])('%s is refused, and no one is suspected', async (path, sentence) => {
    const by = await app.signUp({ role: 'admin' })
    const { status, body } = await (calls.read as (typeof calls)[string])(path, by)
    expect([status, body.error, body.fields]).toEqual([422, sentence, { path: sentence }])
    expect(await refusedTargets(by)).toEqual([])
  })

  test('another root’s name as a prefix means the path’s own root', async () => {
    await app.db
      .updateTable('staging_file')
      .set({ root: 'mapdata', path: '/secret/a.json' })
      .where(
        'path',
        '=',
        (await stageFile(app, { sellerId: seller.user.sellerId, rows: partsFields(1) })).path,
      )
      .execute()
    const desk = stagingDesk(admin.api)
    expect((await desk.window({ root: 'mapdata', path: '/secret/a.json' })).status).toBe(200)
    for (const prefix of [
      'mapdata/',
      'mapdata:/',
      'mapdata+',
      'marketplace:mapdata_autoparts/',
      '/data/marketplace/mapdata/',
      '/srv/staging/',
    ]) {
      const { status, body } = await desk.window({ path: `${prefix}secret/a.json` })
      expect([status, body.error]).toEqual([404, 'There is no staged file /secret/a.json in ecomm.'])
    }
  })

  test('an absolute path inside a configured folder is a file of the root; one beside it is not', async () => {
    const desk = stagingDesk(admin.api)
    expect((await desk.window({ path: '/srv/staging/ecomm/yard/a.json' })).body.path).toBe('/yard/a.json')
    for (const path of [
      '/srv/a.json',
      '/srv/staging-2/yard/a.json',
      '/srv/stagin/yard/a.json',
      '/etc/yard/a.json',
    ]) {
      expect((await desk.window({ path })).status).toBe(422)
    }
  })
})

/** Ways out of a folder, in spellings that have worked somewhere. */
function waysOut(): string[] {
  const ups = [
    '..',
    '...',
    '....',
    '.. ',
    ' ..',
    '%2e%2e',
    '%2E.',
    '.%2e',
    '%252e%252e',
    '%c0%ae%c0%ae',
    '%u002e%u002e',
    '．．',
    '‥',
    '․․',
    '..;',
    '..\0',
    '\u202e..',
    '..\u200b',
  ]
  const separators = ['/', '//', '\\', '/\\', '+', '%2f', '%252f', '%5c', '%c0%af', '／', '∕']
  const climbs = ups.flatMap((up) =>
    separators.map((by) => `/yard${by}${up}${by}${up}${by}etc${by}passwd.json`),
  )
  const depths = [1, 2, 3, 5, 8, 13].flatMap((depth) => [
    `${'../'.repeat(depth)}secret.json`,
    `/${'..+'.repeat(depth)}secret.csv`,
    `ecomm/${'....//'.repeat(depth)}secret.json`,
  ])
  const elsewhere = [
    'C:/windows/a.json',
    'c:a.json',
    'file:///etc/a.json',
    'https://yard.example/a.json',
    '\\\\host\\share\\a.json',
    '//..//a.json',
    '~/a.json',
    '~root/a.json',
    '/etc/passwd.json',
    '/proc/self/environ.json',
    '/sbin/.hidden/a.json',
    '/var/log/a.csv',
    '/srv/a.json',
  ]
  const hidden = [
    '.env',
    '/.env',
    '/yard/.env',
    '/.env.json',
    '/.git/config.json',
    '/yard/.json',
    '/yard/.htaccess.csv',
    '/./a.json',
    '/yard/./a.json',
  ]
  const roots = [
    'datatable',
    'mapdata',
    'marketplace:mapdata_autoparts',
    '/srv/staging',
    '/data/marketplace/ecomm',
  ]
  const aroundRoots = roots.flatMap((root) => [
    `${root}/../a.json`,
    `${root}+..+mapdata+a.json`,
    `${root}/../../etc/a.json`,
  ])
  const endings = [
    '/yard/a.json\0.exe',
    '/yard/a.json%00.exe',
    '/yard/a.json%00',
    '/yard/a\u0007.json',
    '/yard/a.json\n.csv',
    '/yard/a.json/..',
    '/yard/a.json/.',
  ]
  return [...climbs, ...depths, ...elsewhere, ...hidden, ...aroundRoots, ...endings]
}
