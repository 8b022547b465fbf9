/* Numbers and units as people write them. */

/** "one" counts only before a unit: "compare it with the one on your car" counts nothing. */
export const numberWords = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, value) => [word, value] as const),
)

/** Words for amounts that no record spells out; the pair is a two. */
export const vagueAmounts = new Set(
  'dozen dozens hundred hundreds thousand thousands million double triple twice half couple several'.split(
    ' ',
  ),
)

const spellings = `mile: mi mile miles; kilometer: km kilometer kilometers; amp: a amp amps ampere amperes;
volt: v volt volts; watt: w watt watts; liter: l liter liters litre litres ltr; inch: inch inches;
millimeter: mm millimeter millimeters; centimeter: cm; pound: lb lbs pound pounds; kilogram: kg kilograms;
horsepower: hp horsepower; cylinder: cyl cylinder cylinders; pin: pin pins; lug: lug lugs; speed: speed speeds;
percent: percent; hour: hour hours hr hrs; day: day days; week: week weeks; month: month months; year: year years yr yrs;
piece: piece pieces pc pcs unit units; owner: owner owners; cc: cc; ah: ah; kwh: kwh; psi: psi; ton: ton tons`

/** Unit by spelling, "amps" → "amp". */
export const units = new Map(
  spellings.split(';').flatMap((entry) => {
    const [unit = '', spelt = ''] = entry.trim().split(': ')
    return spelt.split(' ').map((word) => [word, unit] as const)
  }),
)

/** A promise hides in these: they are believed of a field, and never of a seller's free text. */
export const promisedUnits = new Set(['hour', 'day', 'week', 'month', 'year', 'percent', 'owner', 'mile'])

/** "130A" is 130 and amp; undefined where letters are no unit ("V6", "4WD"). */
export function gluedAmount(key: string, text: string): { value: number; unit: string } | undefined {
  const found = /^(\d[\d,]*(?:\.\d+)?)-?([a-z]+)$/.exec(text.toLowerCase())
  const unit = units.get(found?.[2] ?? '')
  if (found === null || unit === undefined) return key.endsWith('k') ? thousands(key) : undefined
  return { value: plainNumber(found[1] ?? ''), unit }
}

function thousands(key: string): { value: number; unit: string } | undefined {
  return /^\d{1,3}k$/.test(key) ? { value: Number(key.slice(0, -1)) * 1_000, unit: 'mile' } : undefined
}

export const plainNumber = (text: string): number =>
  Number(text.includes(',') ? text.replaceAll(',', '') : text)
