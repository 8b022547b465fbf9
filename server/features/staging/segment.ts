/** A stored piece of a file's rows: gzipped lines, named by the hash of their content. */
export type Segment = {
  readonly sha256: string
  readonly rows: number
  /** Length of its rows in the JSON view, about. */
  readonly bytes: number
}

/** The most rows in one: small enough to be held in memory and rewritten for one changed cell. */
export const MOST_ROWS_A_SEGMENT = 2_000

/** All of them lie below this folder of the file store. */
export const SEGMENT_FOLDER = 'segments'

/** Its key in the file store; folders by the first two digits, so that none holds all of them. */
export const segmentKey = (sha256: string): string =>
  `${SEGMENT_FOLDER}/${sha256.slice(0, 2)}/${sha256}.ndjson.gz`

/** The hash in a key that `segmentKey` made, or undefined for any other file. */
export const segmentInKey = (key: string): string | undefined =>
  /^segments\/[0-9a-f]{2}\/([0-9a-f]{64})\.ndjson\.gz$/.exec(key)?.[1]

/** The same rows in the same order, as far as that shows without reading them. */
export const sameSegments = (one: readonly Segment[], other: readonly Segment[]): boolean =>
  one.length === other.length && one.every(({ sha256 }, place) => sha256 === other[place]?.sha256)
