import type { LinkEnd } from './link-book.ts'

export type AnchoredLink = { readonly to: LinkEnd; readonly anchor: string }

export type StoredLink = AnchoredLink & {
  /** Whether what it leads to can be seen. */
  readonly leads: boolean
}

/** The links of a page before and after. */
export type LinkChange = {
  readonly from: LinkEnd
  /** Of the page or listing. */
  readonly name: string
  readonly before: readonly StoredLink[]
  readonly after: readonly AnchoredLink[]
}

export const keyOfEnd = ({ kind, id }: LinkEnd): string => `${kind}/${id}`

const lineOf = ({ to, anchor }: AnchoredLink) => `${keyOfEnd(to)} ${anchor}`

export const isChanged = ({ before, after }: LinkChange): boolean =>
  before.length !== after.length || after.some((link, at) => lineOf(link) !== lineOf(before[at] ?? link))

/** What goes and what comes, as lines of a diff; links that only change their place are left out. */
export function linkDiff({ before, after }: LinkChange): string[] {
  const [old, now] = [new Set(before.map(lineOf)), new Set(after.map(lineOf))]
  const line = ({ to, anchor }: AnchoredLink) => `${anchor} (${to.kind})`
  return [
    ...before.filter((link) => !now.has(lineOf(link))).map((link) => `- ${line(link)}`),
    ...after.filter((link) => !old.has(lineOf(link))).map((link) => `+ ${line(link)}`),
  ]
}
