/**
 * What of the data a reply shows, so that it stays right while the rest is changed. It is everything, unless whoever makes the
 * reply names the sections (ids of part types) that it was read from.
 */
export class DataScope {
  readonly #sections = new Set<string>()
  #isEverything = false

  add(sections: Iterable<string>): void {
    for (const section of sections) this.#sections.add(section)
  }

  addEverything(): void {
    this.#isEverything = true
  }

  /** Undefined for everything. */
  get sections(): ReadonlySet<string> | undefined {
    return this.#isEverything || this.#sections.size === 0 ? undefined : this.#sections
  }
}

/** The data at one moment. */
export type DataVersion = {
  /** Another text whenever anything of these sections was changed, or what belongs to all; undefined for everything. */
  of(sections: ReadonlySet<string> | undefined): string
}
