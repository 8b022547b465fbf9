import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import { columnAt, yardRows } from '#tests/support/yard-file.ts'

// So many rows have a name that no lookup is called; every segment has some of them.
const SHARE = 0.25

const MAKES: Readonly<Record<string, readonly string[]>> = {
  Chevrolet: ['Chevy', 'CHEVROLET', 'Chevorlet', 'Chev.'],
  Toyota: ['TOYOTA', 'Toyta', 'toyota '],
  Volkswagen: ['VW', 'Volkswagon'],
  'Mercedes-Benz': ['Mercedes', 'MERCEDES BENZ'],
  Honda: ['HONDA', 'Hnda'],
}

/** The rows of a yard's file as people type them: other capitals, short names, letters in the wrong place. */
export function* messyRows(count: number, seed: string): Generator<string[]> {
  const random = seededRandom(`${seed} typed`)
  const [make, model, type] = [columnAt('Make'), columnAt('Model'), columnAt('Part Type')]
  for (const row of yardRows(count, seed)) {
    if (random.chance(SHARE)) {
      const spellings = MAKES[row[make] ?? '']
      const place = random.pick([make, model, type])
      if (place === make && spellings) row[place] = random.pick(spellings)
      else row[place] = mistyped(random, row[place] ?? '')
    }
    yield row
  }
}

function mistyped(random: Random, name: string): string {
  const how = random.whole(0, 9)
  if (how < 5) return name.toUpperCase()
  if (how < 8) return ` ${name.toLowerCase()}`
  if (name.length < 6) return `${name}.`
  const at = random.whole(1, name.length - 2)
  return `${name.slice(0, at)}${name.charAt(at + 1)}${name.charAt(at)}${name.slice(at + 2)}`
}
