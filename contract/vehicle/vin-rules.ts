/*
 * The rules of vehicle identification numbers that need no data: characters, check digit and model year (49 CFR 565,
 * ISO 3779), and likely typos.
 */

export const VIN_LENGTH = 17
/** The position of the check digit, counted from 1. */
const CHECK_AT = 9
const CHARACTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ'
/** The value of each letter in the check digit. */
const VALUES: Readonly<Record<string, number>> = Object.fromEntries([
  ...Array.from('0123456789', (digit) => [digit, Number(digit)]),
  ...Array.from('ABCDEFGH', (letter, at) => [letter, at + 1]),
  ...Array.from('JKLMN', (letter, at) => [letter, at + 1]),
  ['P', 7],
  ['R', 9],
  ...Array.from('STUVWXYZ', (letter, at) => [letter, at + 2]),
])
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
/** VINs do not contain I, O and Q, which look like these digits. */
const MEANT: Readonly<Record<string, string>> = { I: '1', O: '0', Q: '0' }

/** A VIN as typed or scanned, in capitals and without spaces, dashes, dots and a leading “VIN”. */
export const plainVin = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[\s.\-–—_*]/g, '')
    .replace(/^VIN(?:#|NO)?[:#]*(?=.{16})/, '')

/**
 * Whether a text looks like a VIN: 17 valid characters, with both digits and letters. Part numbers are rarely as long.
 */
export const isVinLike = (plain: string): boolean =>
  /^(?=(?:.*\d){3})(?=.*[A-Z])[A-HJ-NPR-Z0-9]{17}$/.test(plain)

/**
 * Returns the VIN in a barcode's text, or undefined: the whole text, the text after the I (for “import”) that Code 39 labels of
 * imported cars start with, or one piece of a maker's QR code. A piece needs a correct check digit, because serial numbers
 * can also have 17 characters.
 */
export function vinInBarcode(text: string): string | undefined {
  const alone = withoutImport(plainVin(text))
  if (isVinLike(alone)) return alone
  const pieces = text.toUpperCase().split(/[^A-Z0-9]+/)
  return pieces.map(withoutImport).find((piece) => isVinLike(piece) && isCheckDigitRight(piece))
}

const withoutImport = (plain: string) =>
  plain.length === VIN_LENGTH + 1 && plain.startsWith('I') ? plain.slice(1) : plain

/** Why a text is not a VIN. */
type VinFault = {
  sentence: string
  /** Position of the first wrong, missing or extra character, counted from 1. */
  position: number
  suggestions: string[]
}

/** Returns undefined if the text has 17 valid characters. For `plain`, see `plainVin`. */
export function vinFault(plain: string): VinFault | undefined {
  const at = [...plain].findIndex((character) => !CHARACTERS.includes(character))
  const character = plain[at] ?? ''
  const corrected = plain.replaceAll(/[IOQ]/g, (letter) => MEANT[letter] ?? letter)
  if (at !== -1 && MEANT[character] === undefined) {
    const sentence = `Character ${at + 1} (${character}) cannot be in a VIN: it has digits and letters only`
    return { sentence, position: at + 1, suggestions: [] }
  }
  if (plain.length !== VIN_LENGTH) {
    const sentence = `A VIN has ${VIN_LENGTH} characters; this one has ${plain.length}`
    const position = at === -1 ? Math.min(plain.length, VIN_LENGTH) + 1 : at + 1
    return { sentence, position, suggestions: inFullLength(corrected) }
  }
  if (at === -1) return undefined
  const sentence = `Character ${at + 1} cannot be ${character}: a VIN has no I, O or Q. Did you mean ${MEANT[character]}?`
  return { sentence, position: at + 1, suggestions: [corrected] }
}

/**
 * With digits for the letters that look like them and are in no VIN, if the check digit confirms that; else as it is.
 */
export function withoutLookalikes(plain: string): string {
  const corrected = plain.replaceAll(/[IOQ]/g, (letter) => MEANT[letter] ?? letter)
  return isVinLike(corrected) && isCheckDigitRight(corrected) ? corrected : plain
}

/** Adds a missing or removes an extra double of a character if that makes the check digit correct. */
function inFullLength(plain: string): string[] {
  const places = Array.from(plain, (_, at) => at)
  const changed = places.map((at) =>
    plain.length < VIN_LENGTH
      ? plain.slice(0, at) + plain.charAt(at) + plain.slice(at)
      : plain.slice(0, at) + plain.slice(at + 1),
  )
  const right = changed.filter(
    (vin) => vin.length === VIN_LENGTH && isCheckDigitRight(vin) && endsInDigits(vin),
  )
  return [...new Set(right)].slice(0, MAX_SUGGESTED)
}

export const MAX_SUGGESTED = 5

/** The check digit that the other 16 characters give: 0-9 or X. */
export function checkDigitOf(vin: string): string {
  let sum = 0
  for (let at = 0; at < VIN_LENGTH; at += 1) sum += (VALUES[vin.charAt(at)] ?? 0) * (WEIGHTS[at] ?? 0)
  const rest = sum % 11
  return rest === 10 ? 'X' : String(rest)
}

export const isCheckDigitRight = (vin: string): boolean => vin.charAt(CHECK_AT - 1) === checkDigitOf(vin)

/** Whether a car was made in North America, where every VIN must have a check digit. */
export const isNorthAmerican = (vin: string): boolean => /^[1-57]/.test(vin)

/** Whether every car of its country has a check digit: in North America and in China. */
export const hasCheckDigit = (vin: string): boolean => isNorthAmerican(vin) || vin.startsWith('L')

/** Characters 4 to 6 of European cars for markets where they mean nothing. */
export const hasFiller = (vin: string): boolean => vin.slice(3, 6) === 'ZZZ'

/**
 * Makers whose cars for other markets have no model year in position 10, by VIN prefix: Mercedes-Benz and
 * smart, BMW and MINI, Ford of Europe, the French makers, Fiat and its brands, Toyota, Nissan, Suzuki and Daihatsu in Europe.
 */
const WITHOUT_YEAR =
  /^(?:W(?:D[BCDFY]|1[KNVX]|M[EWX]|B[ASXYH1-9]|BS|BY|F0|ME|EB|LU)|V(?:F[1378RZ]|S[SEK]|G[5A])|NM0|UU1|X7L|Z(?:FA|AR|LA|AM|FF|CF)|SB1|NMT|JT[A-Z]|VNK|SJN|JN[1-9]|TSM|JS[A-Z1-9]|JDA)/

/** The years that position 10 of a car for another market may mean. */
export const yearsElsewhere = (vin: string): number[] => (WITHOUT_YEAR.test(vin) ? [] : modelYears(vin))

/** Whether it ends in four digits, as the serial number of a car's VIN does. */
const endsInDigits = (vin: string): boolean => /\d{4}$/.test(vin)

const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789'
const FIRST_YEAR = 1980

/** The possible model years of position 10, 30 years apart; none for 0, U and Z. */
export function modelYears(vin: string): number[] {
  const at = YEAR_CODES.indexOf(vin.charAt(9))
  return at === -1 ? [] : [FIRST_YEAR + at, FIRST_YEAR + YEAR_CODES.length + at]
}

/** For cars and light trucks, position 7 is a digit through 2009 and a letter from 2010 on. */
export const isSince2010 = (vin: string): boolean => !/\d/.test(vin.charAt(6))

/** Characters that look alike on a door sticker or a printout. */
const LOOK_ALIKE = [
  '0D',
  '17',
  '1L',
  '2Z',
  '38',
  '3B',
  '4A',
  '5S',
  '56',
  '6G',
  '06',
  '8B',
  'CG',
  'EF',
  'HN',
  'KX',
]
const MORE_ALIKE = ['MN', 'MW', 'PR', 'UV', 'VY', 'VW']

const alike: ReadonlyMap<string, string> = new Map(
  Array.from(CHARACTERS, (character) => {
    const pairs = [...LOOK_ALIKE, ...MORE_ALIKE].filter((pair) => pair.includes(character))
    return [character, pairs.map((pair) => pair.replace(character, '')).join('')]
  }),
)

/** Returns VINs with a correct check digit that differ by one look-alike character or two swapped neighbors. */
export function nearVins(vin: string): string[] {
  const found = new Set<string>()
  const note = (near: string) => {
    if (near !== vin && isCheckDigitRight(near) && endsInDigits(near)) found.add(near)
  }
  for (let at = 0; at < VIN_LENGTH; at += 1) {
    const [before, here, after] = [vin.slice(0, at), vin.charAt(at), vin.slice(at + 1)]
    if (after !== '') note(before + after.charAt(0) + here + after.slice(1))
    for (const other of alike.get(here) ?? '') {
      // A digit of the serial number is not a letter.
      if (at < SERIAL_FROM || isDigit(other) === isDigit(here)) note(before + other + after)
    }
  }
  return [...found]
}

// Counted from 0.
const SERIAL_FROM = 11
const isDigit = (character: string) => character >= '0' && character <= '9'

/** Replaces the check digit by the correct one. */
export const withCheckDigit = (vin: string): string =>
  vin.slice(0, CHECK_AT - 1) + checkDigitOf(vin) + vin.slice(CHECK_AT)
