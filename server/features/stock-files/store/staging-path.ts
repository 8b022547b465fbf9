import { z } from 'zod'
import { type StagingRoot, stagingRoots } from '#contract/admin/staging.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { OnUnreadable } from '#server/platform/http/mount.ts'
import { isReadable } from '#server/platform/http/readable-text.ts'

/** A file of a root and the requested view of it. */
export type StagingPath = {
  /** Begins with "/" and ends in `.json`: the file's name. */
  readonly path: string
  readonly format: 'json' | 'csv'
}

/** The path of a view. */
export const viewPath = ({ path, format }: StagingPath): string => path.replace(/json$/, format)

// Not a file of a root: a drive, a share, an address, a home folder.
const FOREIGN = /^[a-z][\w+.-]*:|^~/i
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
// Safe in any file system, shell or decoder; letters of all languages are fine.
const PLAIN = /^[\p{L}\p{M}\p{Nd} ._,;=@!$&'#()[\]{}~-]+$/u
// The limit of most file systems, for saving the file under its name.
const LONGEST_SEGMENT = 200
const LONGEST_PATH = 480

/**
 * Parses a typed path: "+" means "/", repeated slashes collapse, and a trailing slash and, at the
 * start, root names, "staging/" and configured folders are dropped. No typed path ever reaches the file system, but
 * every spelling of an escape from the root is refused anyway. Returns an error message if the path is not valid.
 * Idempotent.
 */
export function readStagingPath(typed: string, folders: readonly string[] = []): StagingPath | string {
  if (CONTROL.test(typed)) return 'The path contains invisible characters. Type it again.'
  if (typed.includes('%')) return 'The path contains “%”. Type it without URL encoding.'
  if (typed.includes('\\')) return 'Use “/” between folders, not “\\”.'
  const path = withoutPrefixes(withPlainSlashes(typed.normalize('NFC').trim()), folders)
  if (path === '') return 'Enter a staging file path first'
  if (FOREIGN.test(path.slice(1))) return 'The path must be inside the root, such as /Tire_Toyota_Camry.json.'
  return segmentProblem(path) ?? withFormat(path)
}

/** One slash before each name and none at the end; '' if there are no names. */
function withPlainSlashes(text: string): string {
  return text
    .split(/[+/]+/)
    .filter(Boolean)
    .map((segment) => `/${segment}`)
    .join('')
}

const ROOT_PREFIX = new RegExp(
  `^/(?:staging/|(?:marketplace(?::/?|/))?(?:${stagingRoots.join('|')})(?:_autoparts)?(?::/?|/))(?=.)`,
)

/** Strips repeatedly, so that parsing is idempotent. */
function withoutPrefixes(path: string, folders: readonly string[]): string {
  const known = folders.map(withPlainSlashes).filter(Boolean)
  let rest = path
  for (;;) {
    const folder = known.find((name) => rest.startsWith(`${name}/`))
    const shorter = folder ? rest.slice(folder.length) : rest.replace(ROOT_PREFIX, '/')
    if (shorter === rest) return rest
    rest = shorter
  }
}

function segmentProblem(path: string): string | undefined {
  if (path.length > LONGEST_PATH) return `The path is too long: at most ${LONGEST_PATH} characters.`
  for (const segment of path.slice(1).split('/')) {
    if (segment.length > LONGEST_SEGMENT)
      return `A name in the path is too long: at most ${LONGEST_SEGMENT} characters.`
    if (/^[. ]|[. ]$/.test(segment))
      return 'A name in the path may not start or end with a dot or a space, and “..” is not allowed.'
    if (!PLAIN.test(segment)) return `“${segment}” contains characters that are not allowed in a path.`
  }
  return undefined
}

function withFormat(path: string): StagingPath | string {
  const [, stem, ending] = /^(.*[^/])\.(json|csv)$/i.exec(path) ?? []
  if (!stem || !ending) return 'The path must end in .json or .csv.'
  return { path: `${stem}.json`, format: ending.toLowerCase() as StagingPath['format'] }
}

// Folders of a server; imports create none of these unless a seller has such a name.
const SERVER_FOLDER =
  /^\/(?:bin|boot|dev|etc|home|lib\d*|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var|users|volumes)\//i

/**
 * Whether a path looks like an absolute path of a server. If no staged file has that name, the user meant a folder that
 * is not configured, and no file may be created there by accident.
 */
export const namesServerFolder = (path: string): boolean => SERVER_FOLDER.test(path)

// Characters drawn as dots, and those that decoders have mistaken for dots, slashes and backslashes.
const DOT = '[.\\u2024\\u2025\\u2026\\uff0e\\ufe52]'
const SEPARATOR = /[/\\+\u2044\u2215\u29f8\uff0f\uff3c]+/
const DOTS_ONLY = new RegExp(`^[\\s;]*${DOT}{2,}[\\s;]*$`)
const HIDDEN = new RegExp(`^\\s*${DOT}`)
const ENCODED = /%(?:[\da-f]{2}|u[\da-f]{4})/i
const ESCAPE_ATTEMPT_FOREIGN = /^[\s/+]*(?:[a-z][\w+.-]*:[/\\]|[a-z]:|~)/i

/**
 * Whether a refused path looks like an attempt to leave its root rather than a typo: it goes up, hides, is encoded or
 * names another place. Only for the audit log; it does not decide what is refused.
 */
export function isEscapeAttempt(typed: string): boolean {
  if (typed.includes('\\')) return true
  if ([ENCODED, CONTROL, ESCAPE_ATTEMPT_FOREIGN].some((pattern) => pattern.test(typed))) return true
  return typed.split(SEPARATOR).some((segment) => DOTS_ONLY.test(segment) || HIDDEN.test(segment))
}

/** `isEscapeAttempt`, or a folder of the server itself. */
export const looksLikeEscape = (typed: string): boolean =>
  isEscapeAttempt(typed) || namesServerFolder(`/${typed.trim().replace(/^[/+]+/, '')}`)

export type Caller = { readonly actor: Actor; readonly ip: string; readonly requestId: string }

type RefusedPath = {
  readonly root: StagingRoot
  readonly typed: string
  readonly sentence: string
  readonly caller: Caller
}

// Enough to show what was tried.
const MAX_LOGGED = 200

/** Logs who tried a path that leads out of its root. */
export async function writeRefusedPath(
  db: Db,
  { root, typed, sentence, caller: { actor, ip, requestId } }: RefusedPath,
): Promise<void> {
  await writeAudit(db, {
    action: 'staging-path-refused',
    actorUserId: actor.userId,
    target: `${root}:${JSON.stringify(typed.slice(0, MAX_LOGGED))}`,
    ip,
    requestId,
    detail: { sentence },
  })
}

/** `field`: the name of the path in the request. */
type Refusal = RefusedPath & { readonly field: 'path' | 'paths' }

/**
 * Refuses a path. An attempt to leave the root is logged outside of any transaction that this error rolls back.
 * @throws AppError VALIDATION_FAILED, always
 */
export async function refusePath(db: Db, { root, typed, sentence, field, caller }: Refusal): Promise<never> {
  if (looksLikeEscape(typed)) await writeRefusedPath(db, { root, typed, sentence, caller })
  throw new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
}

const text = z.string().optional().catch(undefined)
const sentPaths = z.looseObject({
  root: z.enum(stagingRoots).catch('ecomm'),
  path: text,
  paths: z.array(text).catch([]),
})
/** The body of a request to enqueue a job. */
const sentJob = z.object({ payload: z.object({ source: sentPaths }) })

/**
 * Records who sent a path with a NUL or half a character. Such requests are refused before their route runs, and are
 * attempts of the same kind as `..`.
 */
export function recordUnreadablePath(db: Db): OnUnreadable {
  return async ({ sent, actor, ip, requestId }) => {
    const data = sentJob.safeParse(sent).data?.payload.source ?? sentPaths.safeParse(sent).data
    if (!data || !actor) return
    for (const typed of [data.path, ...data.paths]) {
      if (typed === undefined || isReadable(typed)) continue
      const sentence = 'The path contains characters that cannot be stored.'
      await writeRefusedPath(db, { root: data.root, typed, sentence, caller: { actor, ip, requestId } })
    }
  }
}
