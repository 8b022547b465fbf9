/** A stored piece of a file's rows: gzipped lines, named by the hash of their content. */
export type Segment = {
  readonly sha256: string
  readonly rows: number
  /** Length of its rows in the JSON view, about. */
  readonly bytes: number
}

/** The most rows in one: small enough to be held in memory and rewritten for one changed cell. */
export const MOST_ROWS_A_SEGMENT = 2_000

/** Its key in the file store; folders by the first two digits, so that none holds all of them. */
export const segmentKey = (sha256: string): string => `segments/${sha256.slice(0, 2)}/${sha256}.ndjson.gz`
