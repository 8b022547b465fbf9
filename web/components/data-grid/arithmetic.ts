/** Reckoning that is typed into numbers: "+5%", "*1.1", "-2", "=19.99". By digits, so that 1.1 × 3 is 3.3. */

/** What is typed, as a fraction: value × times / over + plus / plusOver, all in whole numbers. */
export type Arithmetic = { times: bigint; over: bigint; plus: bigint; plusOver: bigint }

const TYPED = /^([+\-*/=])\s*(-?)(\d{1,9}(?:\.\d{1,6})?|\.\d{1,6})\s*(%?)$/

/** Undefined where it is no reckoning but a value, or cannot be done. */
export function parseArithmetic(typed: string): Arithmetic | undefined {
  const [, sign, minus, digits = '', percent] = TYPED.exec(typed.trim().replaceAll(',', '')) ?? []
  if (sign === undefined || (minus === '-' && sign !== '=')) return undefined
  const [size, unit] = fraction(digits)
  const amount = minus === '-' || sign === '-' ? -size : size
  return percent === '%' ? percentage(sign, amount, unit) : operation(sign, amount, unit)
}

const nothing = { plus: 0n, plusOver: 1n }

function percentage(sign: string, amount: bigint, unit: bigint): Arithmetic | undefined {
  const over = 100n * unit
  if (sign === '*') return { times: amount, over, ...nothing }
  return sign === '+' || sign === '-' ? { times: over + amount, over, ...nothing } : undefined
}

function operation(sign: string, amount: bigint, unit: bigint): Arithmetic | undefined {
  if (sign === '*') return { times: amount, over: unit, ...nothing }
  if (sign === '/') return amount === 0n ? undefined : { times: unit, over: amount, ...nothing }
  return { times: sign === '=' ? 0n : 1n, over: 1n, plus: amount, plusOver: unit }
}

/** The new text of a cell; undefined where it holds no number. An empty cell takes "=" alone. */
export function applyArithmetic(step: Arithmetic, text: string, decimals: number): string | undefined {
  const plain = text.trim().replaceAll(',', '')
  const sets = step.times === 0n
  if (!sets && !/^-?\d{1,12}(\.\d{1,6})?$/.test(plain)) return undefined
  const [amount, unit] = sets ? [0n, 1n] : fraction(plain.replace('-', ''))
  const value = plain.startsWith('-') && !sets ? -amount : amount
  const over = unit * step.over * step.plusOver
  const sum = value * step.times * step.plusOver + step.plus * unit * step.over
  return format(round(sum * 10n ** BigInt(decimals), over), decimals)
}

function fraction(digits: string): [amount: bigint, unit: bigint] {
  const [whole = '', part = ''] = digits.split('.')
  return [BigInt(whole + part), 10n ** BigInt(part.length)]
}

/** Halves go away from zero, as on an invoice. */
function round(amount: bigint, over: bigint): bigint {
  const size = amount < 0n ? -amount : amount
  const rounded = (2n * size + over) / (2n * over)
  return amount < 0n ? -rounded : rounded
}

function format(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const sign = units < 0n ? '-' : ''
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
