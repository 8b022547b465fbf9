import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

let described: string | undefined

/**
 * Returns the program's version: RELEASE_VERSION (set in container images), else `git describe` (`v1.2.0-3-gab12cd`),
 * else the version in package.json.
 */
export function programVersion(given?: string): string {
  if (given !== undefined) return given
  described ??=
    describeCheckout() ?? `v${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version}`
  return described
}

function describeCheckout(): string | undefined {
  const git = join(ROOT, '.git')
  // Otherwise git would search the parent folders and could describe an unrelated repository.
  if (!existsSync(git)) return undefined
  try {
    const args = [`--git-dir=${git}`, 'describe', '--tags', '--always', '--match=v*']
    return execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 2_000,
    }).trim()
  } catch {
    return undefined
  }
}
