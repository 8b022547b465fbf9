/** Formats a cell's stored number. */
export type ShowNumber = (stored: string) => string

const SHORT = /^-?(0|[1-9]\d{0,14})$|^-?(0|[1-9]\d{0,7})\.\d{1,6}$/

/**
 * With at most 15 digits, as Excel counts: 0.30000000000000004 is 0.3. Written in full, since a part number is not a
 * power of ten.
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
