import { z } from 'zod'
import { type StagingRoot, stagingRoots } from '#contract/staging.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { OnUnreadable } from '#server/platform/http/mount.ts'
import { isReadable } from '#server/platform/http/readable-text.ts'

/** A file of a root and the view of it that was asked for. */
export type StagingPath = {
  /** Begins with "/" and ends in `.json`: the file's name. */
  readonly path: string
  readonly format: 'json' | 'csv'
}

/** The path under which a view is asked for. */
export const viewPath = ({ path, format }: StagingPath): string => path.replace(/json$/, format)

// Marks of what is not a file of a root: a drive, a share, an address, a home folder.
const FOREIGN = /^[a-z][\w+.-]*:|^~/i
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
// Signs that mean nothing to any file system, shell or decoder; letters of all languages are fine.
const PLAIN = /^[\p{L}\p{M}\p{Nd} ._,;=@!$&'#()[\]{}~-]+$/u
// The limit of most file systems, for those who save the file under its name.
const LONGEST_SEGMENT = 200
const LONGEST_PATH = 480

/**
 * Reads a path as people type it (spec 2, section 5): "+" stands for "/", repeated slashes collapse, a slash at the end
 * goes, and so do the names of roots and the configured folders at the beginning. Nothing typed ever becomes a path of
 * the file system, and still every spelling of a way out of the root is refused. Answers a sentence for what is no path.
 * Its own answer reads as itself.
 */
export function readStagingPath(typed: string, folders: readonly string[] = []): StagingPath | string {
  if (CONTROL.test(typed)) return 'The path holds signs that cannot be seen. Type it anew.'
  if (typed.includes('%')) return 'The path holds a “%”. Type it plainly, not encoded as in an address.'
  if (typed.includes('\\')) return 'Use “/” between the folders of the path, not “\\”.'
  const path = withoutPrefixes(withPlainSlashes(typed.normalize('NFC').trim()), folders)
  if (path === '') return 'Enter a staging file path first'
  if (FOREIGN.test(path.slice(1)))
    return 'The path must lie inside the root, such as /Tire_Toyota_Camry.json.'
  return segmentProblem(path) ?? withFormat(path)
}

/** Begins with one slash, has one between two names and none at the end; '' where there is nothing else. */
function withPlainSlashes(text: string): string {
  return text
    .split(/[+/]+/)
    .filter(Boolean)
    .map((segment) => `/${segment}`)
    .join('')
}

const ROOT_PREFIX = new RegExp(
  `^/(?:marketplace(?::/?|/))?(?:${stagingRoots.join('|')})(?:_autoparts)?(?::/?|/)(?=.)`,
)

/** Stripped again and again, so that what was read once reads as itself. */
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
  if (path.length > LONGEST_PATH) return `The path is too long: at most ${LONGEST_PATH} signs.`
  for (const segment of path.slice(1).split('/')) {
    if (segment.length > LONGEST_SEGMENT)
      return `A name in the path is too long: at most ${LONGEST_SEGMENT} signs.`
    if (/^[. ]|[. ]$/.test(segment))
      return 'A name in the path may not begin or end with a dot or a space; “..” leads nowhere here.'
    if (!PLAIN.test(segment)) return `“${segment}” holds signs that a path may not have.`
  }
  return undefined
}

function withFormat(path: string): StagingPath | string {
  const [, stem, ending] = /^(.*[^/])\.(json|csv)$/i.exec(path) ?? []
  if (!stem || !ending) return 'The path must end in .json or .csv.'
  return { path: `${stem}.json`, format: ending.toLowerCase() as StagingPath['format'] }
}

// Folders of a server itself; no import makes them unless a seller is called so.
const SERVER_FOLDER =
  /^\/(?:bin|boot|dev|etc|home|lib\d*|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var|users|volumes)\//i

/**
 * Looks like an absolute path of a server. Where no staged file is called so, somebody meant a folder that is not among
 * the configured ones; a new file must not be made of it unawares.
 */
export const namesServerFolder = (path: string): boolean => SERVER_FOLDER.test(path)

// Dots that are drawn as one or two, and what decoders have taken for dots, slashes and backslashes.
const DOT = '[.\\u2024\\u2025\\u2026\\uff0e\\ufe52]'
const SEPARATOR = /[/\\+\u2044\u2215\u29f8\uff0f\uff3c]+/
const DOTS_ONLY = new RegExp(`^[\\s;]*${DOT}{2,}[\\s;]*$`)
const HIDDEN = new RegExp(`^\\s*${DOT}`)
const ENCODED = /%(?:[\da-f]{2}|u[\da-f]{4})/i
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const ESCAPE_ATTEMPT_FOREIGN = /^[\s/+]*(?:[a-z][\w+.-]*:[/\\]|[a-z]:|~)/i

/**
 * Whether a path that was refused looks like a way out of its root and not like a slip of the keyboard: it goes up,
 * hides, is encoded or names another place. Only for the audit log; what is refused does not depend on it.
 */
export function isEscapeAttempt(typed: string): boolean {
  if (
    typed.includes('\\') ||
    ENCODED.test(typed) ||
    INVISIBLE.test(typed) ||
    ESCAPE_ATTEMPT_FOREIGN.test(typed)
  )
    return true
  return typed.split(SEPARATOR).some((segment) => DOTS_ONLY.test(segment) || HIDDEN.test(segment))
}

/** The same, and a folder of the server's own. */
export const looksLikeEscape = (typed: string): boolean =>
  isEscapeAttempt(typed) || namesServerFolder(`/${typed.trim().replace(/^[/+]+/, '')}`)

export type Caller = { readonly actor: Actor; readonly ip: string; readonly requestId: string }

type RefusedPath = {
  readonly root: StagingRoot
  readonly typed: string
  readonly sentence: string
  readonly caller: Caller
}

// Enough to see what was tried.
const MOST_TOLD = 200

/** Writes down who tried a path that leads out of its root, and which. */
export async function writeRefusedPath(
  db: Db,
  { root, typed, sentence, caller: { actor, ip, requestId } }: RefusedPath,
): Promise<void> {
  await writeAudit(db, {
    action: 'staging-path-refused',
    actorUserId: actor.userId,
    target: `${root}:${JSON.stringify(typed.slice(0, MOST_TOLD))}`,
    ip,
    requestId,
    detail: { sentence },
  })
}

/** `field`: what the caller named the path. */
type Refusal = RefusedPath & { readonly field: 'path' | 'paths' }

/**
 * Refuses a path. One that looks like a way out of its root is written down, outside of any transaction that ends with
 * this error.
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
/** Of a job that is to be enqueued. */
const sentJob = z.object({ payload: z.object({ source: sentPaths }) })

/**
 * Writes down who sent a path with a NUL or half a character. Such a request is refused before anybody asks what it means,
 * and what is tried with it is what is tried with `..`.
 */
export function noteUnreadablePath(db: Db): OnUnreadable {
  return async ({ sent, actor, ip, requestId }) => {
    const data = sentJob.safeParse(sent).data?.payload.source ?? sentPaths.safeParse(sent).data
    if (!data || !actor) return
    for (const typed of [data.path, ...data.paths]) {
      if (typed === undefined || isReadable(typed)) continue
      const sentence = 'A path holds no characters that cannot be stored.'
      await writeRefusedPath(db, { root: data.root, typed, sentence, caller: { actor, ip, requestId } })
    }
  }
}
