import type { Subject } from './page-facts.ts'
import { type PageOutcome, type PageWriting, writePages } from './write-pages.ts'

// One statement over the listings of so many lookups takes about half a second where a million are live.
const PAGES_AT_ONCE = 25

/**
 * Makes the pages of lookups, in their order and some at a time; tells what became of each.
 * @throws WritingFailure after the pages that were written before it
 */
export async function* buildPages(
  subjects: readonly Subject[],
  { signal, ...writing }: PageWriting & { readonly signal: AbortSignal },
): AsyncGenerator<readonly PageOutcome[]> {
  for (let from = 0; from < subjects.length; ) {
    signal.throwIfAborted()
    const kind = subjects[from]?.kind
    const others = subjects.slice(from, from + PAGES_AT_ONCE).findIndex((subject) => subject.kind !== kind)
    const to = from + (others < 0 ? PAGES_AT_ONCE : others)
    if (kind) {
      const { outcomes, failure } = await writePages(kind, subjects.slice(from, to), writing)
      yield outcomes
      if (failure) throw failure
    }
    from = to
  }
}
