import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Endpoint, EndpointTable } from '#contract/endpoint.ts'

/* docs/asvs.md must name tests that exist, and what only has to be written down must be. */

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const sourcesIn = (pattern: string) =>
  globSync(pattern, { cwd: ROOT }).map((path) => ({ path: path.replaceAll('\\', '/'), text: read(path) }))

type Row = { number: string; level: string; answer: string; proof: string }
const page = read('docs/asvs.md')
const rows: Row[] = [
  ...page.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| .+ \| (yes|no|n\/a) \| (.+) \|$/gm),
].map(([, number = '', level = '', answer = '', proof = '']) => ({ number, level, answer, proof }))
const tests = sourcesIn('{contract,server,db,web,scripts,chaos,tests}/**/*.{test.ts,test.tsx,e2e.ts}')

/** Whether a test, or a group of tests, has this title. */
function hasTest(title: string): boolean {
  return tests.some(({ text }) => ["'", '`', '"'].some((quote) => text.includes(quote + title + quote)))
}

describe('docs/asvs.md', () => {
  test('has every requirement of levels 1 and 2 once', () => {
    expect(page.match(/^\| \d/gm)).toHaveLength(rows.length)
    expect(rows).toHaveLength(253)
    expect(new Set(rows.map(({ number }) => number)).size).toBe(253)
    expect(rows.filter(({ level }) => level === '1')).toHaveLength(70)
  })

  test('names a test that exists for each yes, and a reason for each other answer', () => {
    expect(hasTest('names a test that does not exist'.toUpperCase())).toBe(false)
    const wrong = rows.filter(({ answer, proof }) =>
      answer === 'yes' ? !hasTest(/^“(.+)”$/.exec(proof)?.[1] ?? '') : proof.length < 5,
    )
    expect(wrong).toEqual([])
  })

  test('says truly how much holds, and at least 95% of what applies does', () => {
    const count = (wanted: string) => rows.filter(({ answer }) => answer === wanted).length
    const [yes, applies] = [count('yes'), count('yes') + count('no')]
    expect(page).toContain(`${applies} apply, ${yes} hold (${Math.floor((100 * yes) / applies)}%)`)
    expect(yes / applies).toBeGreaterThanOrEqual(0.95)
  })
})

test('docs/security.md has a section for every rule that must be written down', () => {
  const written = read('docs/security.md')
  const sections = [...written.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  expect(sections).toEqual([
    'Input',
    'Limits',
    'Files',
    'Passwords and sign-in',
    'Sessions',
    'Who may do what',
    'Data',
    'Connections',
    'Cryptography',
    'Logs',
  ])
  // Its numbers are those of the code.
  const code = read('server/features/people/accounts/wrong-passwords.ts')
  for (const [number, constant] of [
    ['5th for one account', 'ALLOWED_FOR_ACCOUNT = 5'],
    ['20th for one address', 'ALLOWED_FOR_ADDRESS = 20'],
    ['After 20 for one account', 'ALLOWED_FROM_EVERYWHERE = 20'],
  ] as const) {
    expect(written.replaceAll('\n', ' ')).toContain(number)
    expect(code).toContain(constant)
  }
  const sessions = read('server/features/people/accounts/sessions.ts')
  expect(sessions).toContain('SESSION_IDLE_MS = 7 * DAY_MS')
  expect(sessions).toContain('SESSION_LIFETIME_MS = 30 * DAY_MS')
})

test('SECURITY.md says whom to write to and how fast packages are mended', () => {
  const policy = read('SECURITY.md')
  expect(policy).toMatch(/\| critical.+ \| 3 days \| 3 days /)
  expect(policy).toContain('/.well-known/security.txt')
  expect(policy).toContain('at least every 90 days')
})

const shipped = sourcesIn('{contract,db,server,web}/**/*.{ts,tsx}').filter(
  ({ path }) => !/\.test\.tsx?$/.test(path),
)
const withText = (pattern: RegExp) => shipped.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

test('no text becomes HTML or code: only our own drawings are written as HTML', () => {
  expect(withText(/\beval\(|new Function\(|document\.write|insertAdjacentHTML|\.innerHTML\s*=/)).toEqual([])
  expect(withText(/dangerouslySetInnerHTML/).toSorted()).toEqual([
    // JSON-LD, in which every < is escaped.
    'web/site/head.tsx',
    'web/site/page.tsx',
  ])
})

test('cryptography is Node’s own: SHA-256, Argon2id, random bytes, and no weaker ones', () => {
  expect(withText(/from '(crypto-js|bcrypt\w*|md5|sha\.?js|jsonwebtoken|node-forge|tweetnacl)/)).toEqual([])
  expect(withText(/createCipher\b|createDecipher\b|'(md5|rc4|des)'|md5\(/i)).toEqual([])
  expect(withText(/createCipheriv/)).toEqual(['server/platform/backup/sealed.ts'])
  expect(read('server/platform/backup/sealed.ts')).toMatch(/CIPHER = 'aes-256-gcm'/)
  // Tells whether two rows of a file differ; nothing depends on it being hard to find two alike.
  expect(withText(/'sha-?1'/)).toEqual(['server/features/stock-files/store/differences.ts'])
  // A pause before a retry, and nothing secret.
  const random = withText(/Math\.random\(/)
  for (const path of random)
    expect(read(path)).not.toMatch(/(token|secret|password|key)\w* = .*Math\.random/i)
})

test('no code turns off the check of certificates', () => {
  expect(withText(/rejectUnauthorized:\s*false|NODE_TLS_REJECT_UNAUTHORIZED/)).toEqual([])
})

test('every password field is masked, named for password managers, and takes a paste', () => {
  const fields = shipped.filter(({ text }) => /<(New)?PasswordField\b/.test(text))
  expect(fields.length).toBeGreaterThan(3)
  for (const { path, text } of fields) {
    for (const [field] of text.matchAll(/<PasswordField\b[^>]*>/g)) {
      expect(field, path).toMatch(/autoComplete="(current|new)-password"|\{\.\.\.props\}/)
    }
  }
  expect(read('web/components/form/password-field.tsx')).toContain('<PasswordInput')
  expect(
    withText(/onPaste=\{\(\w*\) => \w+\.preventDefault|type="text"[^>]*label="[^"]*[Pp]assword/),
  ).toEqual([])
})

test('calls that change something use POST, PUT or DELETE: no GET has a body', async () => {
  for (const file of globSync('contract/**/*.ts', { cwd: ROOT }).filter((path) => !path.includes('.test.'))) {
    const exported: Record<string, unknown> = await import(join(ROOT, file))
    const tables = Object.entries(exported).filter(([name]) => name.endsWith('Endpoints'))
    for (const [name, endpoint] of tables.flatMap(([, table]) =>
      Object.entries<Endpoint>(table as EndpointTable),
    )) {
      const { method, body, file: picture, upload, status } = endpoint
      if (method === 'GET') expect({ name, body, picture, upload, status }).toEqual({ name })
    }
  }
})
