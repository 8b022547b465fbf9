import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

type LockedPackage = {
  version?: string
  license?: string
  dev?: boolean
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}
type Locked = Record<string, LockedPackage>

// Built for other machines: each installation has the one of its own.
const PLATFORM = /[-/](darwin|linux|linuxmusl|win|win32|windows|freebsd|wasm32|webcontainers)(-|$)/

/** Packages that the web app imports: they are bundled, and so shipped, although npm calls them dev dependencies. */
function bundledPackages(): string[] {
  const files = globSync('web/**/*.{ts,tsx,css}', { cwd: ROOT }).filter((path) => !path.includes('.test.'))
  const names = files.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const imports = text.matchAll(/(?:from|import|import\()\s*['"]((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^'"]*)?['"]/g)
    return [...imports].map(([, name = '']) => name)
  })
  return [...new Set(names)]
}

/** Where a package that another one needs is installed: beside it or further up, as Node looks for it. */
function findInstalled(locked: Locked, name: string, from: string): string | undefined {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
    const path = `${place === '' ? '' : `${place}/`}node_modules/${name}`
    if (locked[path]) return path
    if (place === '') return undefined
    if (!place.includes('/node_modules/')) place = ''
  }
}

/** Every package with code in the server or in the bundle. */
function shippedPaths(locked: Locked): Set<string> {
  const shipped = new Set(Object.keys(locked).filter((path) => path !== '' && !locked[path]?.dev))
  const open = bundledPackages().map((name) => findInstalled(locked, name, ''))
  for (let path = open.pop(); open.length > 0 || path !== undefined; path = open.pop()) {
    if (path === undefined || shipped.has(path)) continue
    shipped.add(path)
    const { dependencies = {}, peerDependencies = {} } = locked[path] ?? {}
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      open.push(findInstalled(locked, name, path))
    }
  }
  return shipped
}

/** The licenses of all packages that an installation contains, from the lock file. */
export function licensesPage(): string {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Locked }
  const byLicense = new Map<string, Set<string>>()
  for (const path of shippedPaths(lock.packages)) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const { version = '', license = 'unknown' } = lock.packages[path] ?? {}
    // Types have no code.
    if (name.startsWith('@types/')) continue
    const label = PLATFORM.test(name) ? `${name} (for one platform) ${version}` : `${name} ${version}`
    byLicense.set(license, (byLicense.get(license) ?? new Set()).add(label))
  }
  const sections = [...byLicense]
    .toSorted(([a, { size: x }], [b, { size: y }]) => y - x || a.localeCompare(b))
    .map(([license, names]) => `## ${license} (${names.size})\n\n${[...names].toSorted().join(' · ')}`)
  return `# Licenses of the packages we ship

Generated from \`package-lock.json\` and the imports of the web app by \`npm run docs\`. Do not edit. Each package's full
license is in its folder in \`node_modules\`. Vehicles and ZIP codes ([db/data/README.md](../db/data/README.md)), the typeface
of headings ([web/fonts/LICENSE](../web/fonts/LICENSE)) and the embedded PostgreSQL (PostgreSQL License) have their own.

${sections.join('\n\n')}
`
}
