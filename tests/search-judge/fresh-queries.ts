import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import { drawQueries, factsOf, saySide, sayYear } from './drawn-queries.ts'
import type { JudgedListing, JudgedQuery } from './relevance.ts'
import { saidForPart, saidForVehicle } from './spoken-names.ts'

/*
 * Queries that no one has seen before: drawn by another seed in every run, so that the search cannot have been made for them.
 * Half are put together as the frozen ones; the others are sentences, plurals, and Spanish and French.
 */

const SENTENCES = [
  'do you have a {part} for my {car}',
  'looking for a {part} for a {car}',
  'i need the {part} off a {car}',
  'anyone selling {part} that fits {car}',
  'how much for a used {part} for {car}',
  'my {car} needs a new {part}',
]

/** Part types that buyers name in other languages, as a bilingual counter writes them down. */
const FOREIGN: Readonly<
  Record<'es' | 'fr', { sentences: readonly string[]; parts: Readonly<Record<string, string>> }>
> = {
  es: {
    sentences: ['{part} {car}', 'busco {part} para {car}', 'necesito {part} de {car}', '{part} para {car}'],
    parts: {
      Alternator: 'alternador',
      Radiator: 'radiador',
      Hood: 'cofre',
      'Front Door': 'puerta delantera',
      'Rear Door': 'puerta trasera',
      Fender: 'salpicadera',
      'Tail Lamp Assembly': 'calavera',
      'Headlamp Assembly': 'faro',
      'Engine Assembly': 'motor',
      'Automatic Transmission': 'transmision automatica',
      'Fuel Pump': 'bomba de gasolina',
      'Starter Motor': 'marcha',
      'Door Mirror': 'espejo lateral',
      Grille: 'parrilla',
    },
  },
  fr: {
    sentences: ['{part} {car}', 'cherche {part} pour {car}', '{part} pour {car}'],
    parts: {
      Alternator: 'alternateur',
      Radiator: 'radiateur',
      Hood: 'capot',
      'Front Door': 'porte avant',
      'Rear Door': 'porte arrière',
      Fender: 'aile',
      'Tail Lamp Assembly': 'feu arrière',
      'Headlamp Assembly': 'phare',
      'Engine Assembly': 'moteur',
      'Automatic Transmission': 'boîte automatique',
      'Fuel Pump': 'pompe à essence',
      'Starter Motor': 'démarreur',
      'Door Mirror': 'rétroviseur',
      Grille: 'calandre',
    },
  },
}

/** `count` queries; those in other languages are left out of a stock that has none of their parts. */
export function drawFreshQueries(
  stock: readonly JudgedListing[],
  { seed, count }: { seed: string; count: number },
): JudgedQuery[] {
  const random = seededRandom(seed)
  const asFrozen = drawQueries(stock, { seed, count: Math.ceil(count / 2) })
  const queries = new Map(asFrozen.map((query) => [query.query, query]))
  const named = stock.filter(
    ({ partmodel, partcategory }) => partcategory && partmodel && !partmodel.includes('('),
  )
  // As many tries as a stock that has what is asked for needs many times over.
  for (let tries = 0; queries.size < count && tries < count * 1_000; tries += 1) {
    const draw = random.pick([sentence, sentence, plural, foreign])
    const query = draw(random.pick(named), random)
    if (query) queries.set(query.query, query)
  }
  return [...queries.values()]
}

type Draw = (listing: JudgedListing, random: Random) => JudgedQuery | undefined

/** The car, in half of the queries with its year. */
function carOf(listing: JudgedListing, random: Random): JudgedQuery {
  const { words, vehicles } = random.pick(saidForVehicle(listing.partmanuname, listing.partmodel ?? ''))
  if (random.chance(0.5)) return { query: words, wanted: { vehicles } }
  const year = sayYear(factsOf(listing).year, random)
  return { query: `${year.words} ${words}`, wanted: { vehicles, ...year.wanted } }
}

const filled = (sentence: string, { part, car }: { part: string; car: string }) =>
  sentence.replace('{part}', part).replace('{car}', car)

const sentence: Draw = (listing, random) => {
  const { part, sides } = factsOf(listing)
  const { words, parts } = random.pick(saidForPart(part))
  const side = sides.length > 0 && random.chance(0.5) ? saySide(sides, random) : undefined
  const car = carOf(listing, random)
  const asked = filled(random.pick(SENTENCES), {
    part: [side?.words, words].filter(Boolean).join(' '),
    car: car.query,
  })
  return { query: asked, wanted: { parts, ...car.wanted, ...side?.wanted } }
}

const plural: Draw = (listing, random) => {
  const { words, parts } = random.pick(saidForPart(factsOf(listing).part))
  if (/s$|\d/.test(words)) return undefined
  const many = /(?:x|ch|sh)$/.test(words) ? `${words}es` : words.replace(/([^aeiou])y$/, '$1ie').concat('s')
  const car = carOf(listing, random)
  return {
    query: random.chance(0.5) ? `${car.query} ${many}` : `${many} ${car.query}`,
    wanted: { parts, ...car.wanted },
  }
}

const foreign: Draw = (listing, random) => {
  const { sentences, parts } = FOREIGN[random.pick(['es', 'fr'] as const)]
  const { part } = factsOf(listing)
  const said = parts[part]
  if (!said) return undefined
  const car = carOf(listing, random)
  return {
    query: filled(random.pick(sentences), { part: said, car: car.query }),
    wanted: { parts: [part], ...car.wanted },
  }
}

/** A vehicle of the stock with a part type of the stock, which it may not have. */
export type SweptQuery = { query: string; part: string }

/** Every year, model and part type of the stock, in any combination. */
export function drawSweep(
  stock: readonly JudgedListing[],
  { seed, count }: { seed: string; count: number },
): SweptQuery[] {
  const random = seededRandom(`sweep ${seed}`)
  const named = stock.filter(({ partmodel, partcategory }) => partcategory && partmodel)
  const parts = [...new Set(named.map(({ partcategory }) => partcategory?.name ?? ''))]
  return Array.from({ length: count }, () => {
    const { partyear, partmanuname, partmodel } = random.pick(named)
    const part = random.pick(parts)
    return { query: `${partyear} ${partmanuname} ${partmodel} ${part}`, part }
  })
}
