import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { readSourceTree, type SourceFile, sourceFile } from '#tests/support/source-tree.ts'

/**
 * The rules of the house that the linter cannot say. Each rule lists what is wrong in a tree of files, in words that
 * tell where the code should go, and carries small trees that break it, so that no rule can silently stop working.
 */
type Tree = SourceFile[]
type Rule = { find: (tree: Tree) => string[]; broken: Record<string, string>[] }

const house = readSourceTree()

function rule(title: string, { find, broken }: Rule): void {
  test(title, () => {
    for (const sample of broken) {
      const tree = Object.entries(sample).map(([path, text]) => sourceFile(path, text))
      expect(find(tree), `The rule no longer notices ${Object.keys(sample).join(', ')}`).not.toEqual([])
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

const UNLIMITED = /^(web\/routes\.tsx|db\/.*\.sql)$|\.gen\.ts$/

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
          `${path} has ${count} lines (limit ${limit}): find the noun it hides and give that a file of its own`,
      ),
  broken: [{ 'server/app.ts': lines(501) }, { 'tests/api/login.test.ts': lines(701) }],
})

// A field's word may end in one of the first row ("part-types"), never in one of the second ("listing-service").
const EMPTY_NAME =
  /^(misc|common|base|core|index|types)$|(^|-)(utils?|helpers?|managers?|(?<!terms-of-)services?|part-?\d+)$/

rule('a name says what is behind the door', {
  find: (tree) =>
    tree
      .filter(({ path }) => isCode(path) || path.endsWith('.css'))
      .filter(({ path }) =>
        [stem(path), ...path.split('/').slice(0, -1)].some((name) => EMPTY_NAME.test(name)),
      )
      .map(({ path }) => `${path}: name it after what it holds (a noun) or does (a verb and a noun)`),
  broken: [
    { 'server/platform/utils.ts': '' },
    { 'server/features/listings/listing-service.ts': '' },
    { 'web/screens/form/form-part2.tsx': '' },
    { 'web/common/button.tsx': '' },
  ],
})

/* Rooms: who may know whom */

const ROOMS: [room: string, files: RegExp, mayImport: string[]][] = [
  ['contract', /^contract\//, []],
  ['db', /^db\//, ['contract']],
  ['server/platform', /^server\/platform\//, ['contract', 'db']],
  ['server/config', /^server\/(config|payments-settings)\.ts$/, ['contract', 'server/platform']],
  ['server/features', /^server\/features\//, ['contract', 'db', 'server/platform', 'server/config']],
  // A program a file; the work itself is a feature's.
  [
    'server/scripts',
    /^server\/scripts\//,
    ['contract', 'db', 'server/platform', 'server/config', 'server/features'],
  ],
  // What stands in for the payment provider is another program: billing reaches it over HTTP, as it does the real one.
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
  ['web ground', /^web\/[^/]+\.(ts|css)$/, ['contract']],
  ['web/api', /^web\/api\//, ['contract', 'web ground']],
  ['web/components', /^web\/components\//, ['contract', 'web ground', 'web/api']],
  ['web/screens', /^web\/screens\//, ['contract', 'web ground', 'web/api', 'web/components']],
  ['web wiring', /^web\/[^/]+\.tsx$/, ['contract', 'web ground', 'web/api', 'web/components', 'web/screens']],
]
const OPEN_ROOMS = /^(tests|bench|chaos|scripts|docs|\.ci)\/|^[^/]+$/
const roomOf = (path: string) => ROOMS.find(([, files]) => files.test(path))

rule('every file stands in a room of the house', {
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
          room: roomOf(target)?.[0] ?? (/^(tests|scripts|bench)\//.test(target) ? target : name),
        }))
        .filter(({ room }) => room !== name && !mayImport.includes(room))
        .map(
          ({ target }) =>
            `${path} may not import ${target}: ${name} knows ${mayImport.join(', ') || 'itself only'}`,
        )
    }),
  broken: [
    { 'contract/a.ts': `import type { A } from '#server/app.ts'` },
    { 'server/platform/a.ts': `import type { A } from '#server/features/listings/queries.ts'` },
    { 'server/features/listings/a.ts': `const app = await import('#server/app.ts')` },
    { 'server/app.ts': `import { a } from '#web/paths.ts'` },
    { 'server/app.ts': `import { a } from '#server/simulator/start-simulator.ts'` },
    { 'server/features/billing/a.ts': `import type { A } from '#server/simulator/simulator.ts'` },
    { 'server/simulator/a.ts': `import type { A } from '#server/features/billing/provider.ts'` },
    { 'server/features/listings/a.ts': `import { a } from '#server/scripts/self-check.ts'` },
    { 'server/app.ts': `import { a } from '#tests/support/make-rows.ts'` },
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
  broken: [{ 'server/features/listings/a.ts': `import { b } from '../accounts/b.ts'` }],
})

/* Features */

const featureOf = (path: string) => /^server\/features\/([^/]+)\//.exec(path)?.[1]
const featureFiles = (tree: Tree) => shipped(tree).filter(({ path }) => featureOf(path))
const isQueries = (path: string) => /(^|-)queries$/.test(stem(path))
const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const FIXED_NAME = /^(routes|queries|.+-queries|policy|jobs|.+-client)$/
const OUTSIDE_WORLD =
  /^(node:(fs|net|http|https|tls|dns|child_process|worker_threads)\b|kysely$|pg$|nodemailer$|flydrive|sharp$|stripe$)/

const exportedFunctions = (text: string) =>
  [...text.matchAll(/^export (?:async )?function\*? (\w+)|^export const (\w+) = (?:async )?\(/gm)].map(
    ([, declared, arrow]) => declared ?? arrow,
  )
const doesIo = ({ imports }: SourceFile) =>
  imports.some(({ target, typeOnly }) => !typeOnly && (OUTSIDE_WORLD.test(target) || isQueries(target)))

rule('a feature has the files of the closed list, flat in its folder', {
  find: (tree) =>
    featureFiles(tree).flatMap((file) => {
      const { path, text } = file
      if (path.split('/').length !== 4) return `${path}: a feature is one room without inner rooms`
      if (FIXED_NAME.test(stem(path)) || !doesIo(file)) return []
      const functions = exportedFunctions(text)
      if (functions.length === 1 && functions[0] === camelCase(stem(path))) return []
      return (
        `${path} does I/O, so it is a use-case: one exported function ${camelCase(stem(path))}() (found ` +
        `${functions.join(', ') || 'none'}). SQL goes to queries.ts, an outside system to <system>-client.ts, rules to a pure <noun>.ts`
      )
    }),
  broken: [
    { 'server/features/listings/rules/grade.ts': '' },
    { 'server/features/listings/listing.ts': `import { sql } from 'kysely'\nexport function find() {}` },
    {
      'server/features/listings/create-listing.ts': `import { a } from './queries.ts'\nexport async function createListing() {}\nexport function deleteListing() {}`,
    },
  ],
})

const SQL = /\bsql`|\bsql<|\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\.transaction\(/

rule('each file of a feature does its own work only', {
  find: (tree) =>
    featureFiles(tree).flatMap(({ path, text, imports }) => {
      const name = stem(path)
      const uses = (wanted: RegExp) =>
        imports.some(({ target, typeOnly }) => !typeOnly && wanted.test(target))
      return [
        /^(routes|jobs)$/.test(name) &&
          SQL.test(text) &&
          `${path}: SQL goes to queries.ts, a transaction to a use-case`,
        isQueries(path) &&
          uses(/^fastify|\/policy\.ts$/) &&
          `${path}: queries know no HTTP and no policy; routes.ts asks both`,
        name === 'policy' &&
          uses(/queries\.ts$|^kysely$/) &&
          `${path}: a policy judges what it is given; the caller reads it`,
        !/^(routes|jobs)$/.test(name) &&
          imports.some(({ target }) => /^fastify/.test(target)) &&
          `${path}: requests and replies stay in routes.ts; take the values as parameters`,
      ].filter((problem) => problem !== false)
    }),
  broken: [
    { 'server/features/listings/routes.ts': `db.selectFrom('listing')` },
    { 'server/features/listings/jobs.ts': 'await sql`delete from listing`.execute(db)' },
    { 'server/features/listings/listing-queries.ts': `import { canEdit } from './policy.ts'` },
    { 'server/features/listings/policy.ts': `import { findListing } from './queries.ts'` },
    { 'server/features/listings/create-listing.ts': `import type { FastifyRequest } from 'fastify'` },
  ],
})

const OWNERS: Readonly<Record<string, string>> = {
  stripe: 'server/features/billing/stripe-client.ts',
  openai: 'server/features/writing/openai-client.ts',
  nodemailer: 'server/features/mail/smtp-client.ts',
  undici: 'server/platform/net/guarded-fetch.ts',
  'cron-parser': 'server/platform/jobs/schedules.ts',
  '@zip.js/zip.js/lib/zip-core-reader.js': 'contract/yard-file/workbook-zip.ts',
  saxes: 'contract/yard-file/workbook-cells.ts',
}

rule('a package that speaks with the outside world, or reads what comes from there, has one owner', {
  find: (tree) =>
    shipped(tree).flatMap(({ path, imports }) =>
      imports
        .map(({ target, typeOnly }) => ({ target, typeOnly, owner: OWNERS[target] }))
        .filter(({ owner }) => owner !== undefined && owner !== path)
        // The simulator knows the shapes of Stripe's objects, and nothing that runs.
        .filter(
          ({ target, typeOnly }) =>
            !(target === 'stripe' && typeOnly && path.startsWith('server/simulator/')),
        )
        .map(
          ({ target, owner }) =>
            `${path} imports ${target}: ask for a call in ${owner}, which answers in our own words`,
        ),
    ),
  broken: [
    { 'server/features/leads/charge-lead.ts': `import Stripe from 'stripe'` },
    { 'server/features/billing/plan-state.ts': `import type Stripe from 'stripe'` },
    { 'server/simulator/answer.ts': `import Stripe from 'stripe'` },
    { 'server/scripts/h1-optimizer.ts': `import OpenAI from 'openai'` },
    { 'server/features/pictures/fetch-picture.ts': `import { request } from 'undici'` },
    { 'server/features/automation/schedule.ts': `import { CronExpressionParser } from 'cron-parser'` },
    { 'contract/yard-file/ods-sheet.ts': `import { SaxesParser } from 'saxes'` },
  ],
})

rule('routes.ts and jobs.ts are imported by the wiring of app and worker alone', {
  find: (tree) =>
    shipped(tree)
      .filter(({ path }) => roomOf(path)?.[0] !== 'server wiring')
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ target }) => /^server\/features\/[^/]+\/(routes|jobs)\.ts$/.test(target))
          .map(
            ({ target }) =>
              `${path} imports ${target}: move what it needs to a use-case, queries.ts or a pure file`,
          ),
      ),
  broken: [
    { 'server/features/listings/create-listing.ts': `import type { J } from './jobs.ts'` },
    { 'server/features/imports/a.ts': `import { b } from '#server/features/listings/routes.ts'` },
  ],
})

rule('features call one another without going in a circle', {
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
          `${circle.join(' → ')}: give what both need to the feature that owns it, or hand it in as a parameter`,
      )
  },
  broken: [
    {
      'server/features/accounts/a.ts': `import type { L } from '#server/features/listings/listing.ts'`,
      'server/features/listings/b.ts': `import { c } from '#server/features/lookups/c.ts'`,
      'server/features/lookups/c.ts': `import { a } from '#server/features/accounts/a.ts'`,
    },
  ],
})

/* Safety */

rule('SQL is never put together from text', {
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
    { 'server/features/listings/queries.ts': 'sql.raw(order)' },
    { 'server/commands/admin.ts': 'await pool.query(`select * from \x24{table}`)' },
    { 'db/load.ts': `await pool.query('select * from ' + table)` },
  ],
})

rule('the environment is read in server/config.ts alone', {
  find: (tree) =>
    shipped(tree)
      .filter(({ path }) => path !== 'server/config.ts' && !/^(scripts|bench|chaos)\/|^[^/]+$/.test(path))
      .filter(({ text }) => /\bprocess\??\.env\b|process\[|\benv\b[^'"\n]*from 'node:process'/.test(text))
      .map(({ path }) => `${path}: add the setting to server/config.ts and take it as a parameter`),
  broken: [
    { 'server/platform/log.ts': 'process.env.LOG' },
    { 'web/main.tsx': `import { env } from 'node:process'` },
  ],
})

const MACHINE_PATH = /(?<![\w.:/)-])\/((home|Users)\/[\w.-]+|root|work|workspace|mnt)\/[\w.-]{2,}/g

rule('no secret and no path of one machine is in the tree', {
  find: (tree) =>
    tree
      .filter(({ path }) => path !== 'tests/structure.test.ts')
      .flatMap(({ path, text }) => [
        ...(/^\.env/.test(path) ? [`${path}: settings of one machine stay out of the repository`] : []),
        ...(
          text.match(/-----BEGIN [A-Z ]*PRIVATE KEY|\b(sk|rk)_live_\w+|\bAKIA[0-9A-Z]{16}\b|\bghp_\w{30}/g) ??
          []
        ).map(
          (found) =>
            `${path}: ${found.slice(0, 12)}… is a secret; end its validity, then read it from the environment`,
        ),
        ...(text.match(MACHINE_PATH) ?? []).map(
          (found) =>
            `${path}: ${found} exists on one machine only; begin at import.meta.dirname or a setting`,
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

rule('a suppression carries its reason on the same line', {
  find: (tree) =>
    tree
      .filter(({ path }) => isCode(path) && path !== 'tests/structure.test.ts')
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .filter((line) => /biome-ignore|@ts-(ignore|expect-error|nocheck)/.test(line))
          .filter((line) => !/(biome-ignore(-all)? [\w/]+(\(.*\))?: |@ts-expect-error )\S.{14,}/.test(line))
          .map((line) => `${path}: say on this line why the rule does not hold here: ${line.trim()}`),
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

rule('at most 40 dependencies, all pinned, each with its reason', {
  find: (tree) => {
    const manifest = tree.find(({ path }) => path === 'package.json')?.text ?? '{}'
    const reasons = tree.find(({ path }) => path === 'docs/decisions/dependencies.md')?.text ?? ''
    const { dependencies = {}, devDependencies = {} } = JSON.parse(manifest) as Package
    const all = Object.entries({ ...dependencies, ...devDependencies })
    const explained = [...reasons.matchAll(/^\| `([^`]+)` \| .{10,} \|$/gm)].map(([, name]) => name)
    return [
      ...(Object.keys(dependencies).length > 40
        ? ['package.json: more than 40 dependencies; which one can go?']
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
    manyDependencies(41),
    { 'docs/decisions/dependencies.md': '| `gone` | Was needed for something |' },
    {
      'package.json': '{"dependencies":{"zod":"^4.6.7"}}',
      'docs/decisions/dependencies.md': '| `zod` | Schemas of the contract |',
    },
  ],
})

rule('every test is run by one of the stages', {
  find: (tree) =>
    tree
      .filter(({ path }) => /[.-](test|spec|e2e)\.\w+$/.test(path))
      .filter(
        ({ path }) =>
          !/^(contract|server|db|web|scripts|chaos)\/.+\.test\.tsx?$|^tests\/(api|ground|odd-files)\/.+\.test\.ts$|^tests\/web\/.+\.test\.tsx$|^tests\/structure\.test\.ts$|^tests\/e2e\/.+\.e2e\.ts$/.test(
            path,
          ),
      )
      .map(
        ({ path }) =>
          `${path}: beside its file, or in tests/api, tests/ground, tests/odd-files (*.test.ts), tests/web (*.test.tsx) or tests/e2e (*.e2e.ts)`,
      ),
  broken: [{ 'tests/login.test.ts': '' }, { 'tests/e2e/login.test.ts': '' }, { 'server/app.spec.ts': '' }],
})
