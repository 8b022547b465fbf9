import { nameKey } from '#server/features/lookups/lookup-names.ts'
import { squash } from './name-form.ts'
import { type KnownName, known, type NameVerdict } from './name-verdict.ts'

/**
 * Names that files brought and nobody has looked at. They may be mistyped themselves, so nothing is likened to them, and a
 * name that means a confirmed one means that, whatever some file made of it before. An alias is somebody's decision.
 */
export class ProvisionalNames {
  readonly #byKey = new Map<string, KnownName>()
  readonly #byLetters = new Map<string, KnownName>()

  constructor(names: readonly KnownName[]) {
    for (const entry of names) {
      if (entry.confirmed) continue
      this.#byKey.set(nameKey(entry.name), entry)
      const letters = squash(entry.name)
      if (letters !== '' && !this.#byLetters.has(letters)) this.#byLetters.set(letters, entry)
    }
  }

  match(text: string): NameVerdict | undefined {
    const exact = this.#byKey.get(nameKey(text))
    if (exact) return known(exact, 'exact')
    const spelled = this.#byLetters.get(squash(text))
    return spelled && known(spelled, 'spelling')
  }
}
