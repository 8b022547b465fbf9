import {
  type DemoPart,
  type Generation,
  generations,
  type Maker,
  makerOf,
  partGroups,
  partRoots,
} from '#server/features/running/demo/data.ts'
import { RecentValues } from '#server/platform/recent-values.ts'
import { type Random, seededRandom } from '#server/platform/seeded-random.ts'

/* Made-up part numbers in the makers' formats: the same for every vehicle that has the same part. */

type ModelYear = { manufacturer: string; model: string; year: number }

// Whatever lists vehicles begins with the popular ones.
const popularFirst = generations.toSorted((a, b) => b.deep - a.deep)
const byModel = Map.groupBy(generations, ({ manufacturer, model }) => `${manufacturer}/${model}`)
const bySharing = {
  mechanics: Map.groupBy(popularFirst, ({ mechanics }) => mechanics),
  body: Map.groupBy(popularFirst, ({ body }) => body),
}

const GENERATION_YEARS = 6

/** The model years with the same parts; those of a model that is not in the file are regular. */
export function generationOf({ manufacturer, model, year }: ModelYear): Generation {
  const known = byModel.get(`${manufacturer}/${model}`) ?? []
  const found = known.find(({ from, to }) => from <= year && year <= to)
  if (found) return found
  const shift = seededRandom(`${manufacturer}/${model}`).whole(0, GENERATION_YEARS - 1)
  const first = year - ((year + shift) % GENERATION_YEARS)
  const before = known.findLast(({ to }) => to < year)?.to ?? 0
  const after = known.find(({ from }) => from > year)?.from ?? Number.POSITIVE_INFINITY
  const from = Math.max(first, before + 1)
  const to = Math.min(first + GENERATION_YEARS - 1, after - 1)
  return { manufacturer, model, from, to, mechanics: '', body: '', deep: 0 }
}

/** All vehicles that share a group's parts with this generation, including itself. */
export function sharingVehicles(generation: Generation, group: string): readonly Generation[] {
  const { shares } = partGroups.get(group) ?? { shares: 'body' }
  const key = generation[shares]
  return key === '' ? [generation] : (bySharing[shares].get(key) ?? [generation])
}

/** A part as its number depends on it: `detail` is its side, engine or size. */
export type NumberedPart = { type: string; group: string; detail: string }

// A number takes 15 µs, and every third listing has a new one.
const known = new RecentValues<string>(20_000)

/** The part number shared by all of these vehicles of the same maker. */
export function sharedNumber(sharing: readonly Generation[], maker: Maker, part: NumberedPart): string {
  const own = sharing.filter(({ manufacturer }) => makerOf(manufacturer) === maker)
  const from = own.reduce((first, one) => Math.min(first, one.from), Number.POSITIVE_INFINITY)
  const [first] = own
  const key = `${first?.manufacturer}/${first?.model}/${from}/${part.type}/${part.detail}`
  const before = known.get(key)
  if (before !== undefined) return before
  const number = makeNumber(key, { maker, part, from, model: first?.model ?? '' })
  known.set(key, number)
  return number
}

type NumberFacts = { maker: Maker; part: NumberedPart; from: number; model: string }

function makeNumber(seed: string, { maker, part, from, model }: NumberFacts): string {
  const pattern = from < maker.oldNumberBefore ? maker.oldNumber : maker.number
  const values = { root: rootOf(maker, part), year: fordYear(from), model: modelMark(maker, model, from) }
  return fillPattern(pattern, values, seededRandom(seed))
}

/** What is stamped on a part, and the number that replaces it or that it replaces. */
export type Stamp = { number: string; replaces?: string; replacedBy?: string }

const REPLACED_SHARE = 0.4

/** Cars of the first half of a generation have the number that was replaced later. */
export function stampedNumberOf(car: ModelYear, part: NumberedPart): Stamp {
  const generation = generationOf(car)
  const number = sharedNumber(sharingVehicles(generation, part.group), makerOf(car.manufacturer), part)
  const former = formerNumber(number)
  if (former === undefined || !seededRandom(number).chance(REPLACED_SHARE)) return { number }
  const isEarly = 2 * (car.year - generation.from) < generation.to - generation.from
  return isEarly ? { number: former, replacedBy: number } : { number, replaces: former }
}

/** With its last letter or digit lowered by one, or undefined. */
function formerNumber(number: string): string | undefined {
  const last = number.slice(-1)
  const [kind = ''] = [LETTERS, '0123456789'].filter((characters) => characters.includes(last))
  const former = kind.charAt(kind.indexOf(last) - 1)
  return former === '' ? undefined : number.slice(0, -1) + former
}

/** The number under which new replacements are sold; undefined for parts that have none. */
export function partslinkNumber(
  { manufacturer }: Pick<Generation, 'manufacturer'>,
  { partslink: middles }: DemoPart,
  { detail, number }: { detail: string; number: string },
): string | undefined {
  const [left, right = left] = middles
  const middle = detail.includes('right') ? right : left
  const { partslink } = makerOf(manufacturer)
  if (middle === undefined || partslink === '') return undefined
  return `${partslink}${middle}${seededRandom(number).whole(100, 399)}`
}

const LETTERS = 'ABCDEFGHJKLMNPRSTVWXYZ'
const letter = (random: Random) => LETTERS[random.whole(0, LETTERS.length - 1)] ?? 'A'

/** `#` is a digit, `@` a letter, `{1-9}` a digit of a range, `{A B .}` one of these (`.` is nothing), `{root}` a value. */
function fillPattern(pattern: string, values: Record<string, string>, random: Random): string {
  return pattern.replaceAll(/#|@|\{([^}]*)\}/g, (token, choice: string | undefined) => {
    if (token === '#') return String(random.whole(0, 9))
    if (token === '@' || choice === undefined) return letter(random)
    if (choice in values) return values[choice] ?? ''
    const range = /^(\d)-(\d)$/.exec(choice)
    if (range) return String(random.whole(Number(range[1]), Number(range[2])))
    return random.pick(choice.split(' ')).replace('.', '')
  })
}

/** The characters for a model in the maker's numbers: Honda's TBA or Ford's L3. */
function modelMark({ name }: Maker, model: string, from: number): string {
  const random = seededRandom(`mark ${model} ${from}`)
  if (name !== 'ford') return fillPattern('{S T T T}@{A 0 1 2}', {}, random)
  const mark = fillPattern('@{1-9}', {}, random)
  return from < 1999 ? mark.charAt(0) : mark
}

// Ford's year codes: F2 to F8 until 1998, X and Y, digits until 2009, then letters from A, without I, O and Q.
const FORD_LETTERS = 'ABCDEFGHJKLMNPRS'

function fordYear(year: number): string {
  if (year < 1999) return `F${year % 10}`
  if (year < 2001) return year === 1999 ? 'X' : 'Y'
  return year < 2010 ? String(year % 10) : (FORD_LETTERS[year - 2010] ?? 'S')
}

/**
 * The root of a part number in a maker's system; if unknown, a stable one with the group's prefix. Left and right have different base numbers
 * (Toyota: 81110 right, 81150 left), as in reality.
 */
function rootOf({ name, numberSystem: system }: Maker, { type, group, detail }: NumberedPart): string {
  const [right, left] = partRoots.get(type)?.[system]?.split(' ') ?? []
  if (right) return left && detail.includes('left') ? left : right
  const random = seededRandom(`${system} ${type} ${detail}`)
  const { root, ford, volkswagen, bmw } = partGroups.get(group) ?? {
    root: '90',
    ford: '9',
    volkswagen: '800',
    bmw: '51',
  }
  const fill = (start: string, length: number) =>
    start + fillPattern('#'.repeat(Math.max(0, length - start.length)), {}, random)
  if (name === 'mazda') return fill(root, 2)
  if (name === 'mercedes') return fill(bmw, 3)
  if (system === 'ford') return fill(ford, ford.length > 1 ? 5 : 4)
  if (system === 'volkswagen') return volkswagen
  return system === 'bmw' ? fill(bmw, 4) : fill(root, 5)
}
