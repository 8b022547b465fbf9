import type { Problem, Writer } from '#server/features/writing/writer.ts'
import type { BookedPage, LinkEnd } from './link-book.ts'
import { type AnchoredLink, keyOfEnd, type StoredLink } from './link-change.ts'
import type { NamedListing } from './linked-listing-queries.ts'

/** A page or a listing that is led to. */
export type Target = { readonly page: BookedPage } | { readonly listing: NamedListing }

const endOf = (target: Target): LinkEnd =>
  'page' in target
    ? { kind: target.page.kind, id: target.page.id }
    : { kind: 'listing', id: target.listing.id }

// Enough that links to one page do not all read alike, few enough to be remembered.
const WORDINGS = { page: 8, listing: 2 }
const MOST_REMEMBERED = 50_000

/** Told of words that were not taken, of a link to what is called so. */
type OnRefused = (name: string, problems: readonly Problem[]) => void

/** Finds the words of links, and remembers those it found. */
export class LinkWords {
  readonly #writer: Writer
  readonly #fallback: Writer
  readonly #onRefused: OnRefused
  readonly #known = new Map<string, string>()

  constructor({ writer, fallback }: { writer: Writer; fallback: Writer }, onRefused: OnRefused) {
    this.#writer = writer
    this.#fallback = fallback
    this.#onRefused = onRefused
  }

  /** The links of a page in their order, each target once. Those in `kept` keep their words. */
  async link(
    from: LinkEnd,
    targets: readonly Target[],
    kept: readonly StoredLink[],
  ): Promise<AnchoredLink[]> {
    const words = new Map(kept.map(({ to, anchor }) => [keyOfEnd(to), anchor]))
    const byEnd = new Map(targets.map((target) => [keyOfEnd(endOf(target)), target]))
    const links: AnchoredLink[] = []
    for (const [end, target] of byEnd) {
      const anchor = words.get(end) ?? (await this.#wordsFor(from, target))
      links.push({ to: endOf(target), anchor })
    }
    return links
  }

  async #wordsFor(from: LinkEnd, target: Target): Promise<string> {
    const wording = wordingOf(from, 'page' in target ? WORDINGS.page : WORDINGS.listing)
    const key = `${keyOfEnd(endOf(target))} ${wording}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    // A million listings are beyond what a language model is paid for.
    const writer = from.kind === 'listing' ? this.#fallback : this.#writer
    const anchor = await this.#write(writer, target, wording)
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear()
    this.#known.set(key, anchor)
    return anchor
  }

  async #write(writer: Writer, target: Target, wording: number): Promise<string> {
    const facts = { ...factsOf(target), from: `wording ${wording}` }
    for (const each of new Set([writer, this.#fallback])) {
      const written = await each.writeAnchor(facts)
      if (written.ok) return written.text
      this.#onRefused(nameOf(target), written.problems)
    }
    return nameOf(target)
  }
}

/** Which of its wordings a page uses: always the same one. */
function wordingOf({ id }: LinkEnd, wordings: number): number {
  return Number.parseInt(id.slice(-4), 16) % wordings
}

function factsOf(target: Target) {
  if ('listing' in target) {
    const { name, manufacturer, model, yearFrom, yearTo } = target.listing
    return { kind: 'listing' as const, name, manufacturer, model, yearFrom, yearTo }
  }
  const { kind, name, manufacturer } = target.page
  return { kind, name, ...(manufacturer !== null && { manufacturer }) }
}

const LONGEST = 60

function nameOf(target: Target): string {
  if ('listing' in target) return target.listing.name.slice(0, LONGEST)
  const { name, manufacturer } = target.page
  return manufacturer === null ? name : `${manufacturer} ${name}`
}
