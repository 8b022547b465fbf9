/*
 * Builds the web app, for browsers and for the server, if its sources changed since the last build. It builds beside the old build and then
 * swaps, so a kill leaves either the old or the new one, never half of each.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const ROOT = join(import.meta.dirname, '..')
const TARGET = join(ROOT, 'dist/web')
/** Hash of the sources the build in TARGET was made from; inside it, so that both change together. */
const STAMP = join(TARGET, '.sources')
// Everything the build reads: our sources, the contract they share with the server, and the exact packages.
const SOURCES = ['web', 'contract', 'vite.config.ts', 'package-lock.json', 'scripts/build-web.ts']

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const path of await filesOf(source))
      hash.update(`${path}\0`).update(await readFile(join(ROOT, path)))
  }
  return hash.digest('hex')
}

async function filesOf(source: string): Promise<string[]> {
  if (/\.\w+$/.test(source)) return [source]
  const entries = await readdir(join(ROOT, source), { recursive: true, withFileTypes: true })
  const isRead = (name: string) => !/\.test\.tsx?$/.test(name)
  const files = entries.filter((entry) => entry.isFile() && isRead(entry.name))
  return files.map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1)).sort()
}

async function stampedHash(): Promise<string> {
  return readFile(STAMP, 'utf8').catch(() => '')
}

async function rebuild(hash: string): Promise<void> {
  await removeLeftOvers()
  const begin = performance.now()
  const draft = `${TARGET}.new-${process.pid}`
  console.log('Building the web app …')
  // Imported only now: an installation that ships its build has no bundler.
  const vite = await import('vite')
  // Whatever it is here: tests set it, and React would be built for development.
  process.env.NODE_ENV = 'production'
  const settings = { configFile: join(ROOT, 'vite.config.ts'), logLevel: 'error' } as const
  await vite.build({ ...settings, build: { outDir: draft, emptyOutDir: true } })
  // In the same folder, so that both change together; names that begin with a dot are not served.
  const bundle = join(draft, '.server')
  await vite.build({ ...settings, build: { ssr: join(ROOT, 'web/render.tsx'), outDir: bundle } })
  for (const folder of [draft, join(draft, 'assets')]) await compressFiles(folder)
  await writeFile(join(draft, '.sources'), hash)
  await swapIn(draft, hash)
  console.log(`Web app built in ${Math.round((performance.now() - begin) / 100) / 10} s`)
}

// Smaller ones fit in one packet either way.
const MIN_BYTES = 1_024
const BEST = { level: constants.Z_BEST_COMPRESSION }
const encoders = { br: promisify(brotliCompress), gz: promisify(gzip) }

/** Puts a compressed copy beside every script and style, so that the server compresses none of them for each visitor. */
async function compressFiles(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name))
  await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(folder, name))
      if (content.length < MIN_BYTES) return
      for (const [ending, encode] of Object.entries(encoders)) {
        await writeFile(join(folder, `${name}.${ending}`), await encode(content, BEST))
      }
    }),
  )
}

async function swapIn(draft: string, hash: string): Promise<void> {
  const old = `${TARGET}.old-${process.pid}`
  await rename(TARGET, old).catch(() => undefined)
  try {
    await rename(draft, TARGET)
  } catch (error) {
    // Two starts at once: the other one's build may already be there.
    if ((await stampedHash()) !== hash) throw error
    await rm(draft, { recursive: true, force: true })
  }
  await rm(old, { recursive: true, force: true })
}

/** Folders of builds that were killed; the process number in their name shows whether the build is still running. */
async function removeLeftOvers(): Promise<void> {
  await mkdir(join(ROOT, 'dist'), { recursive: true })
  for (const name of await readdir(join(ROOT, 'dist'))) {
    const pid = /^web\.(?:new|old)-(\d+)$/.exec(name)?.[1]
    if (pid && !isRunning(Number(pid))) await rm(join(ROOT, 'dist', name), { recursive: true, force: true })
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : error)

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

// Under `npm start` the channel to the supervisor breaks when that is killed.
process.once('disconnect', () => process.exit(1))
process.channel?.unref()

const hash = await hashSources()
if ((await stampedHash()) !== hash) {
  await rebuild(hash).catch((error: unknown) => {
    const isForbidden = ['EACCES', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')
    const advice = `The web app is not built, and this user may not write to ${ROOT}. Run "npm run build" there once as the owner of the folder, and again after each upgrade.`
    // The bundler's message names file and line; its own stack helps nobody.
    console.error(isForbidden ? advice : reasonOf(error))
    process.exit(1)
  })
}
process.exit(0)
