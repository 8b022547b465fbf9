import { stagingRoots } from '#contract/staging.ts'

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
