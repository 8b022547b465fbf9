import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

let described: string | undefined

/**
 * What this program calls itself: RELEASE_VERSION, which an image has, or else the tag of the checkout and the commits
 * since (`v1.2.0-3-gab12cd`), or without git the version in package.json.
 */
export function programVersion(given?: string): string {
  if (given !== undefined) return given
  described ??=
    describeCheckout() ?? `v${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version}`
  return described
}

function describeCheckout(): string | undefined {
  const git = join(ROOT, '.git')
  // Otherwise git would look further up and find a repository that this folder only lies in.
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
