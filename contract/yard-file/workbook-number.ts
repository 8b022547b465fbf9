/*
 * What a number's cell shows, as far as it matters: dates, and the zeros that a format puts in front of part numbers and
 * zip codes. All else is the number itself, without "$" and digit groups.
 */

/** Makes a cell's stored number what it says. */
export type ShowNumber = (stored: string) => string

const SHORT = /^-?(0|[1-9]\d{0,14})$|^-?(0|[1-9]\d{0,7})\.\d{1,6}$/

/**
 * With at most 15 digits, as Excel counts: 0.30000000000000004 is 0.3. Written in full, since a part number is no power
 * of ten.
 */
export function plainNumber(stored: string): string {
  if (SHORT.test(stored)) return stored
  const number = Number(stored)
  if (stored.trim() === '' || !Number.isFinite(number)) return stored
  return inFull(number.toPrecision(15))
}

/** "1.23450000000000e+20" as "123450000000000000000". */
function inFull(precise: string): string {
  const [, sign = '', whole = '', rest = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d*))?(?:e([+-]\d+))?$/.exec(precise) ?? []
  const digits = whole + rest
  const point = whole.length + Number(exponent)
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  const fraction = padded.slice(at).replace(/0+$/, '')
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, '')
  const value = fraction === '' ? integer : `${integer}.${fraction}`
  return value === '0' ? value : sign + value
}

const BUILT_IN_DATES = /^(1[4-7]|22|2[7-9]|3[0-6]|5[0-8])$/
const BUILT_IN_TIMES = /^(1[89]|2[01]|4[5-7])$/

/** How a style's numbers are shown; undefined for those that are numbers. */
export function showNumber(
  formatId: string,
  code: string | undefined,
  is1904: boolean,
): ShowNumber | undefined {
  if (code === undefined) {
    const isDate = BUILT_IN_DATES.test(formatId) || BUILT_IN_TIMES.test(formatId)
    return isDate ? (stored) => showDate(stored, is1904) : undefined
  }
  // What is quoted, escaped, or in brackets ([Red], [$-409]) shows no part of the date; [h] counts hours.
  const bare = code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  const first = bare.split(';')[0] ?? ''
  if (/^general$/i.test(first.trim())) return undefined
  // Of a date that shows its year alone the day is nobody's.
  if (/^yyyy$/i.test(first.trim())) return (stored) => showDate(stored, is1904).replace(/^(\d{4})-.*$/, '$1')
  if (/[ymdhs]/i.test(first)) return (stored) => showDate(stored, is1904)
  return digitMask(code)
}

const DAY_MS = 86_400_000
// Day 0 of Excel's two calendars; the older one has a February 29 in 1900, which is day 60.
const DAY_0 = Date.UTC(1899, 11, 30)
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1)
const LAST_DAY = 2_957_003

/** A day as "2026-11-20", with "14:30:05" where it is a moment, or that alone. */
function showDate(stored: string, is1904: boolean): string {
  const serial = Number(stored)
  if (stored.trim() === '' || !(serial >= 0 && serial < LAST_DAY)) return plainNumber(stored)
  // Stored moments are a hair off: 14:30 is 0.604166666666667.
  const seconds = Math.round(serial * 86_400)
  const day = Math.floor(seconds / 86_400)
  const shifted = !is1904 && day < 60 ? day + 1 : day
  const moment = new Date((is1904 ? DAY_0_OF_1904 : DAY_0) + shifted * DAY_MS + (seconds % 86_400) * 1000)
  const [date = '', time = ''] = moment.toISOString().slice(0, 19).split('T')
  if (time === '00:00:00') return date
  return day === 0 ? time : `${date} ${time}`
}

/** Formats of nothing but digits and what stands between them: "00000", "00000-0000", "(000) 000-0000", "\A000". */
function digitMask(code: string): ShowNumber | undefined {
  const sections = code.split(';').map(readMask)
  const [first, second] = sections
  if (!first) return undefined
  return (stored) => {
    const digits = plainNumber(stored)
    if (!/^\d+$/.test(digits)) return digits
    const mask = Number(digits) <= first.upTo ? first : second
    return mask ? filled(mask, digits) : digits
  }
}

/** A digit's place (needed: "0", or not: "#") or the text between. */
type Mask = { upTo: number; pieces: { digit?: '0' | '#'; text?: string }[] }

const MASK_PIECE = /"([^"]*)"|\\(.)|([0#])|([-/ ()])|\[<=?(\d+)\]|\[[^\]<>=]*\]/y

function readMask(section: string): Mask | undefined {
  const mask: Mask = { upTo: Number.POSITIVE_INFINITY, pieces: [] }
  MASK_PIECE.lastIndex = 0
  while (MASK_PIECE.lastIndex < section.length) {
    const found = MASK_PIECE.exec(section)
    if (!found) return undefined
    const [, quoted, escaped, digit, between, upTo] = found
    if (digit !== undefined) mask.pieces.push({ digit: digit === '0' ? '0' : '#' })
    else if (upTo !== undefined) mask.upTo = Number(upTo)
    else mask.pieces.push({ text: quoted ?? escaped ?? between ?? '' })
  }
  const places = mask.pieces.filter(({ digit }) => digit !== undefined)
  const isOfZeros = places.filter(({ digit }) => digit === '0').length > 1
  // "#,##0" and "0" are numbers; seven places and more with something between are a telephone's.
  const isTelephone = places.length >= 7 && mask.pieces.some(({ text }) => text)
  return isOfZeros || isTelephone ? mask : undefined
}

/** Digits go into their places from the right; those for which no place is left stand in front. */
function filled({ pieces }: Mask, digits: string): string {
  const places = pieces.filter(({ digit }) => digit !== undefined).length
  const padded = digits.padStart(places, ' ')
  const extra = padded.length - places
  let at = extra
  const shown = pieces.map(({ digit, text }) => {
    if (digit === undefined) return text
    const own = padded.slice(at === extra ? 0 : at, at + 1).trim()
    at += 1
    return own === '' && digit === '0' ? '0' : own
  })
  return shown.join('')
}
