import type { Answer } from '#server/simulator/http/exchange.ts'
import type { Work } from '#server/simulator/simulator.ts'
import type { HostedPage, PageKind } from '#server/simulator/state/page-queries.ts'

/** Somebody's visit of a page: which, and whether its time is over. */
export type Visit = {
  readonly work: Work
  readonly page: HostedPage
  /** The page's own address, without what stands behind `?`. */
  readonly address: string
  readonly isOver: boolean
  /** What stands behind `?`. */
  readonly query: URLSearchParams
}

/** A kind of hosted page: what it shows, and what its buttons do. Buttons lead on to another address (303). */
export type Hosted = {
  readonly kind: PageKind
  /** The first part of its address; the second is the token. */
  readonly path: string
  readonly show: (visit: Visit) => Promise<Answer>
  readonly actions: Readonly<Record<string, (visit: Visit) => Promise<Answer>>>
}
