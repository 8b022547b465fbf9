import { type AnchorFacts, anchorOf } from '#server/features/writing/landing-text.ts'
import type { Problem } from '#server/features/writing/text-check.ts'
import type { Writer } from '#server/features/writing/writer.ts'
import type { BookedPage, LinkEnd } from './link-book.ts'
import { type AnchoredLink, keyOfEnd, type StoredLink } from './link-change.ts'
import type { NamedListing } from './linked-listing-queries.ts'

/** A page or a listing that is led to. */
export type Target = { readonly page: BookedPage } | { readonly listing: NamedListing }

const endOf = (target: Target): LinkEnd =>
  'page' in target
    ? { kind: target.page.kind, id: target.page.id }
    : { kind: 'listing', id: target.listing.id }

const MOST_REMEMBERED = 50_000

/** Called with words that were refused, of a link to what is called so. */
type OnRefused = (name: string, problems: readonly Problem[]) => void

/** Finds the words of links, and remembers those of the language model. */
export class LinkWords {
  readonly #writer: Writer
  readonly #onRefused: OnRefused
  readonly #known = new Map<string, string>()

  constructor(writer: Writer, onRefused: OnRefused) {
    this.#writer = writer
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
    const facts = factsOf(target)
    // A language model for the links of a million listings would cost more than they bring in.
    if (from.kind === 'listing') return anchorOf(facts)
    const key = keyOfEnd(endOf(target))
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const written = await this.#writer.writeAnchor(facts)
    if (!written.ok) this.#onRefused(facts.name, written.problems)
    const anchor = written.ok ? written.text : anchorOf(facts)
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear()
    this.#known.set(key, anchor)
    return anchor
  }
}

function factsOf(target: Target): AnchorFacts {
  if ('listing' in target) {
    const { name, manufacturer, model, yearFrom, yearTo, partNumber } = target.listing
    return { kind: 'listing', name, manufacturer, model, yearFrom, yearTo, ...(partNumber && { partNumber }) }
  }
  const { kind, name, manufacturer } = target.page
  return { kind, name, ...(manufacturer !== null && { manufacturer }) }
}
