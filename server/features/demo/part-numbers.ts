import type { DonorVehicle } from './donor-vehicle.ts'
import { type Maker, makerOf } from './makers.ts'
import { partRoots } from './part-roots.ts'
import { type Random, seededRandom } from './random.ts'

/**
 * A number in the way the car's maker writes them: invented, but the same for every car of a model's generation, so
 * that a search for it finds what fits. What sides differ in is the root (81110 right, 81150 left), as in life.
 */
export function partNumber(vehicle: DonorVehicle, part: { type: string; group: string; detail: string }) {
  const maker = makerOf(vehicle.manufacturer)
  const generation = firstYearOfGeneration(vehicle)
  const root = partRoots(maker, part)
  const random = seededRandom(
    `${vehicle.manufacturer}/${vehicle.model}/${generation}/${part.type}/${part.detail}`,
  )
  return formats[maker]({ root, generation, model: modelMark(vehicle), random })
}

type Blank = { root: string; generation: number; model: string; random: Random }

const LETTERS = 'ABCDEFGHJKLMNPRSTVWXYZ'
const letter = (random: Random) => LETTERS[random.whole(0, LETTERS.length - 1)] ?? 'A'
const digits = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.whole(0, 9)).join('')
const from = (random: Random, list: string) => random.pick(list.split(' '))

const formats: Record<Maker, (blank: Blank) => string> = {
  toyota: ({ root, random }) => `${root}-${from(random, '0 0 3 4 5 6')}${letter(random)}${digits(random, 3)}`,
  honda: ({ root, model, random }) =>
    `${root}-${model}-A${from(random, '0 0 1 2')}${random.whole(1, 9)}${from(random, '. . . ZA ZB').replace('.', '')}`,
  nissan: ({ root, random }) =>
    `${root}-${random.whole(1, 9)}${letter(random)}${letter(random)}${from(random, '0A 0B 1A 5A 9B')}`,
  subaru: ({ root, random }) =>
    `${root}${from(random, 'FA FE FG AG AJ SA SG SC VA CA')}${digits(random, 2)}${from(random, '0 0 A B')}`,
  mazda: ({ root, random }) =>
    `${letter(random)}${letter(random)}${random.whole(1, 9)}${letter(random)}-${root}-${digits(random, 3)}${from(random, '. A B C D').replace('.', '')}`,
  mitsubishi: ({ generation, random }) =>
    generation < 2004
      ? `M${from(random, 'R B N')}${digits(random, 6)}`
      : `${random.whole(1, 8)}${digits(random, 3)}A${digits(random, 3)}`,
  korean: ({ root, random }) => `${root}-${random.whole(1, 4)}${letter(random)}${digits(random, 3)}`,
  ford: ({ root, generation, model, random }) =>
    `${fordYear(generation)}${generation < 1999 ? model.charAt(0) : model}Z-${root}-${from(random, 'A A A B B C D E AA')}`,
  gm: ({ generation, random }) =>
    `${generation < 2004 ? from(random, '10 12 15 16') : from(random, '13 20 22 23 25')}${digits(random, 6)}`,
  chrysler: ({ generation, random }) =>
    `${generation < 2008 ? '0' : '6'}${random.whole(4, 8)}${digits(random, 6)}A${from(random, 'A B C D E')}`,
  bmw: ({ root, random }) => `${root}${digits(random, 7)}`,
  mercedes: ({ root, random }) =>
    `${random.whole(1, 2)}${digits(random, 2)} ${root} ${digits(random, 2)} ${digits(random, 2)}`,
  volkswagen: ({ root, generation, random }) =>
    `${random.whole(1, 8)}${letter(random)}${generation < 2002 ? '0' : from(random, '0 0 1 5')} ${root} ${digits(random, 3)} ${from(random, 'A B C D E F')}`,
  volvo: ({ random }) => `3${random.whole(0, 1)}${digits(random, 6)}`,
  british: ({ random }) => `${from(random, 'LR LR LR C2Z T2H')}0${digits(random, 5)}`,
  other: ({ random }) => `1${digits(random, 6)}-${digits(random, 2)}-${letter(random)}`,
}

const GENERATION_YEARS = 6

function firstYearOfGeneration({ manufacturer, model, year }: DonorVehicle): number {
  const shift = seededRandom(`${manufacturer}/${model}`).whole(0, GENERATION_YEARS - 1)
  return year - ((year + shift) % GENERATION_YEARS)
}

/** Three characters that stand for a model in the maker's numbers, Honda's TBA or Ford's L3. */
function modelMark(vehicle: DonorVehicle): string {
  const random = seededRandom(`mark ${vehicle.model} ${firstYearOfGeneration(vehicle)}`)
  if (makerOf(vehicle.manufacturer) === 'ford') return `${letter(random)}${random.whole(1, 9)}`
  return `${from(random, 'S T T T')}${letter(random)}${from(random, 'A 0 1 2')}`
}

// Ford counts F2 to F9, XF and YF for the nineties, digits until 2009, then letters from A, without I, O and Q.
const FORD_LETTERS = 'ABCDEFGHJKLMNPRS'

function fordYear(year: number): string {
  if (year < 1999) return `F${year % 10}`
  if (year < 2001) return year === 1999 ? 'X' : 'Y'
  if (year < 2010) return String(year % 10)
  return FORD_LETTERS[year - 2010] ?? 'S'
}
