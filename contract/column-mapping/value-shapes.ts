import { cities, knownTrims, stateCodes, stateNames } from './column-words.ts'

/* What a single value looks like. `text` has no spaces at its ends and is not empty; `plain` is it in small letters. */

export const valueShapes = [
  'year',
  'years',
  'amount',
  'money',
  'whole',
  'phone',
  'zip',
  'vin',
  'vinShaped',
  'interchange',
  'partNumber',
  'code',
  'grade',
  'gradeMarked',
  'quantity',
  'miles',
  'milesMarked',
  'url',
  'picture',
  'state',
  'city',
  'place',
  'sentence',
  'date',
  'business',
  'shipping',
  'trim',
] as const
export type ValueShape = (typeof valueShapes)[number]

const YEAR = /^(19[2-9]\d|20[0-4]\d)(\.0+)?$|^['’]\d\d$/
const YEARS =
  /^((19[2-9]\d|20[0-4]\d)\s*(-|–|—|\/|to|thru|through)\s*(19[2-9]\d|20[0-4]\d|\d\d|up|present)|\d\d\s?[-–]\s?\d\d)$/i
const AMOUNT = /^(us)?\$?\s*(\d{1,3}([,.' ]\d{3})+|\d+)([.,]\d{1,2})?\s*(\$|usd|us\$|dollars)?$/i
const MONEY = /\$|usd|dollars|[.,]\d{2}\s*$/i
const PHONE_LETTERS = /^\+?[\d\s().\-/]{7,20}(\s*(x|ext\.?|#)\s*\d{1,6})?$/i
const DATE = /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2}))([ T]\d|$)/
const VIN = /^[A-HJ-NPR-Z0-9]{17}$/i
const INTERCHANGE = /^\d{3}-\d{4,5}[A-Z]{0,2}$/i
const GRADE =
  /^([a-d]([+-]| \([a-z ]+\))?|excellent|(near )?mint|perfect|(brand |like )?new|(very )?good|(above )?average|fair|ok(ay)?|acceptable|poor|bad|rough|damaged|for parts)$/i
const GRADE_MARKED = /^(grade[:\s-]*[a-d][+-]?|[a-d][+-]?[\s-]*grade|[a-d][+-])$/i
const MILES_MARKED = /^[\d,.]+\s*(k|mi|mi\.|miles|k mi|k miles)$/i
const URL = /^https?:\/\/\S+/i
const PICTURE = /\.(jpe?g|png|webp|gif|bmp)(\?\S*)?($|[\s|,;])/i
const PLACE = /^\p{L}[\p{L}.'’-]+( \p{L}[\p{L}.'’-]+){0,2}$/u
const BUSINESS =
  /\b(auto|autos|parts|salvage|recycl\w*|yard|dismantl\w*|wreck\w*|llc|inc|co\.|company|motors?port|imports?|junk\w*|u-?pull\w*|pick-?n-?pull|garage|european|sons)\b/i
const NO_BUSINESS =
  /^\/|\b(warranty|days?|returns?|ship\w*|tested|guarantee\w*|used|good|clean|transmission|trans)\b/i
const SHIPPING =
  /^(free( shipping)?|flat(\s.*)?|pick-?\s?up( only)?|local pick-?up|calculated|freight( only)?|call for shipping)\b/i

/** How manufacturers write the numbers of their parts. */
const PART_NUMBERS: readonly RegExp[] = [
  // Toyota, Lexus, Honda, Nissan, Hyundai, Subaru: five characters, dash, five or more.
  /^\d{4,5}[A-Z]?-?[A-Z0-9]{3,5}(-[A-Z0-9]{2,5})?$/i,
  // Ford: prefix, number, suffix.
  /^[A-Z][A-Z0-9]{2,3}[- ]?[A-Z0-9]{4,7}[- ]?[A-Z]{1,3}$/i,
  // General Motors and Chrysler.
  /^\d{7,8}([A-Z]{2})?$/i,
  // Volkswagen and Audi.
  /^[0-9][A-Z0-9]{2}[- .]?\d{3}[- .]?\d{3}([- .]?[A-Z]{1,2})?$/i,
  // BMW and Mercedes-Benz.
  /^(\d{11}|\d{2} \d{2} \d \d{3} \d{3}|A ?\d{3} ?\d{3} ?\d{2} ?\d{2})$/i,
  // Mazda, Mitsubishi and suppliers: letters and digits in groups.
  /^[A-Z0-9]{2,5}-[A-Z0-9]{2,4}-[A-Z0-9]{2,5}$/i,
]
const CODE = /^[A-Z0-9#][A-Z0-9\-_/.#]{0,29}$/i

/** A part's number has four digits or more, and is neither a date nor an interchange. */
function isPartNumber(text: string): boolean {
  if (text.length < 6 || text.length > 20 || text.replace(/\D/g, '').length < 4) return false
  if (INTERCHANGE.test(text) || DATE.test(text) || YEARS.test(text)) return false
  return PART_NUMBERS.some((pattern) => pattern.test(text))
}

const VIN_VALUES = '0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ'
const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** By its check digit (ISO 3779; 49 CFR 565.15 (c)), the ninth of its 17 characters. */
export function isVin(text: string): boolean {
  if (!VIN.test(text) || /^\d{17}$/.test(text)) return false
  const vin = text.toUpperCase()
  const sum = VIN_WEIGHTS.reduce(
    (total, weight, at) => total + weight * (VIN_VALUES.indexOf(vin.charAt(at)) % 10),
    0,
  )
  return vin.charAt(8) === '0123456789X'.charAt(sum % 11)
}

/** As North America numbers phones: neither area code nor exchange begins with 0 or 1. */
function isPhone(text: string): boolean {
  if (!PHONE_LETTERS.test(text)) return false
  const digits = text.replace(/\s*(x|ext\.?|#)\s*\d{1,6}$/i, '').replace(/\D/g, '')
  return /^1?[2-9]\d{2}[2-9]\d{6}$/.test(digits)
}

/** "1,299.00", "1.299,00" and "$85" as a number; NaN for what is none. */
export function numberOf(text: string): number {
  const digits = text.replace(/[^\d.,]/g, '')
  if (digits === '') return Number.NaN
  const cents = /[.,](\d{1,2})$/.exec(digits)?.[1] ?? ''
  const whole = digits.slice(0, digits.length - (cents === '' ? 0 : cents.length + 1)).replace(/[.,]/g, '')
  return Number(`${whole || '0'}.${cents || '0'}`)
}

const MOST_MILES = 400_000

function isMiles(text: string): boolean {
  if (MILES_MARKED.test(text)) return true
  return /^(\d{1,3}(,\d{3})+|\d{3,6})$/.test(text) && numberOf(text) <= MOST_MILES
}

const wordsIn = (text: string) => text.split(/\s+/).length
const LONG = 60

const tests: Record<ValueShape, (text: string, plain: string) => boolean> = {
  year: (text) => YEAR.test(text),
  years: (text) => YEARS.test(text),
  amount: (text) => AMOUNT.test(text),
  money: (text) => AMOUNT.test(text) && MONEY.test(text),
  whole: (text) => /^\d{1,9}$/.test(text),
  phone: isPhone,
  zip: (text) => /^\d{5}(-\d{4})?$/.test(text),
  vin: isVin,
  vinShaped: (text) => VIN.test(text) && /\d/.test(text) && /[a-z]/i.test(text),
  interchange: (text) => INTERCHANGE.test(text),
  partNumber: isPartNumber,
  code: (text) => CODE.test(text) && /\d/.test(text),
  grade: (text) => GRADE.test(text) || GRADE_MARKED.test(text),
  gradeMarked: (text) => GRADE_MARKED.test(text),
  quantity: (text) => /^\d{1,3}$/.test(text),
  miles: isMiles,
  milesMarked: (text) => MILES_MARKED.test(text),
  url: (text) => URL.test(text),
  picture: (text) => URL.test(text) && PICTURE.test(text),
  state: (_, plain) => stateCodes.has(plain) || (plain.length > 3 && stateNames.has(plain)),
  city: (_, plain) => cities.has(plain),
  place: (text) => text.length > 3 && PLACE.test(text) && !/\p{Ll}\p{Lu}/u.test(text),
  sentence: (text) => wordsIn(text) >= 5 || text.length >= LONG,
  date: (text) => DATE.test(text),
  business: (text) =>
    /\s/.test(text) && BUSINESS.test(text) && !NO_BUSINESS.test(text.replace(/used (auto )?parts/i, 'parts')),
  shipping: (text) => SHIPPING.test(text),
  trim: (_, plain) => knownTrims.has(plain),
}

/** The shapes that a value has; most have several. */
export function shapesOf(text: string): ValueShape[] {
  const plain = text.toLowerCase()
  return valueShapes.filter((shape) => tests[shape](text, plain))
}
