import { createHash } from 'node:crypto'

/** A short text that differs whenever one of these does. */
export function digestOf(...from: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const one of from) hash.update(one).update('\n')
  return hash.digest('base64url').slice(0, 22)
}

/** A part of a reply that can be read again by itself, such as the cards of a strip. */
export type Seen = {
  /** What it was read from; undefined for everything. */
  readonly sections: ReadonlySet<string> | undefined
  /** Differs whenever what was read does. */
  readonly state: string
  readonly readState: () => Promise<string>
}

/**
 * What of the data a reply shows, so that it stays right while the rest is changed. It is everything, unless whoever makes the
 * reply names the sections (ids of part types) that it was read from, or reads all of it by `see`.
 */
export class DataScope {
  readonly #sections = new Set<string>()
  readonly #seen: Seen[] = []
  #isEverything = false

  add(sections: Iterable<string>): void {
    for (const section of sections) this.#sections.add(section)
  }

  addEverything(): void {
    this.#isEverything = true
  }

  /**
   * Reads a part of the reply, and remembers how to read it again: after a change the reply is right if every part is as it was
   * seen. `read` is kept with the reply, so it should hold little; it is read again when one of `sections` changed.
   */
  async see<T>(read: () => Promise<T>, sections?: Iterable<string>): Promise<T> {
    const stateOf = (value: T) => digestOf(JSON.stringify(value) ?? '')
    const value = await read()
    this.#seen.push({
      sections: sections && new Set(sections),
      state: stateOf(value),
      readState: async () => stateOf(await read()),
    })
    return value
  }

  /** Undefined for everything. */
  get sections(): ReadonlySet<string> | undefined {
    return this.#isEverything || this.#sections.size === 0 ? undefined : this.#sections
  }

  /** All that the reply shows, in parts; empty if it can't be compared by parts. */
  get seen(): readonly Seen[] {
    return this.#isEverything || this.#sections.size > 0 ? [] : this.#seen
  }
}

/** The data at one moment. */
export type DataVersion = {
  /** Another text whenever anything of these sections was changed, or what belongs to all; undefined for everything. */
  of(sections: ReadonlySet<string> | undefined): string
}
