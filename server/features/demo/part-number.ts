import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import { type Maker, makerOf, partGroups, partRoots } from './data.ts'
import type { DonorVehicle } from './donor-vehicle.ts'

type NumberedPart = { type: string; group: string; detail: string }

/**
 * A part number as the car's maker writes them: made up, but the same for every car of a model's generation, so that a
 * search for it finds what fits. Sides differ in the root (Toyota: 81110 right, 81150 left), as in life.
 */
export function partNumber(vehicle: DonorVehicle, part: NumberedPart): string {
  const maker = makerOf(vehicle.manufacturer)
  const generation = firstYearOfGeneration(vehicle)
  const { manufacturer, model } = vehicle
  const random = seededRandom(`${manufacturer}/${model}/${generation}/${part.type}/${part.detail}`)
  const { oldNumber, number } = maker
  const pattern = oldNumber && generation < oldNumber.before ? oldNumber.pattern : number
  const values = {
    root: rootOf(maker, part),
    model: modelMark(vehicle, generation),
    year: fordYear(generation),
  }
  return fillPattern(pattern, values, random)
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

const GENERATION_YEARS = 6

function firstYearOfGeneration({ manufacturer, model, year }: DonorVehicle): number {
  const shift = seededRandom(`${manufacturer}/${model}`).whole(0, GENERATION_YEARS - 1)
  return year - ((year + shift) % GENERATION_YEARS)
}

/** The characters for a model in the maker's numbers: Honda's TBA or Ford's L3. */
function modelMark({ manufacturer, model }: DonorVehicle, generation: number): string {
  const random = seededRandom(`mark ${model} ${generation}`)
  if (makerOf(manufacturer).name !== 'ford') return fillPattern('{S T T T}@{A 0 1 2}', {}, random)
  const mark = fillPattern('@{1-9}', {}, random)
  return generation < 1999 ? mark.charAt(0) : mark
}

// Ford counts F2 to F8 until 1998, X and Y, digits until 2009, then letters from A, without I, O and Q.
const FORD_LETTERS = 'ABCDEFGHJKLMNPRS'

function fordYear(year: number): string {
  if (year < 1999) return `F${year % 10}`
  if (year < 2001) return year === 1999 ? 'X' : 'Y'
  return year < 2010 ? String(year % 10) : (FORD_LETTERS[year - 2010] ?? 'S')
}

/** The root of a part in a maker's system; where we know none, a stable one that begins like its group's. */
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
