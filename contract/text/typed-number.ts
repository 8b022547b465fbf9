/**
 * A number as people type or paste it, as plain digits with a point: "1,299.5", "$1,299.50", "19,75" and "1.299,50" are
 * 1299.5, 1299.50, 19.75 and 1299.50. Undefined if it is none, or could be two: "1,29,9". A comma before three digits
 * separates thousands, but for "0,735".
 */
export function plainNumber(typed: string): string | undefined {
  const bare = typed
    .trim()
    .replace(/^US(?=\s*\$)/i, '')
    .replace(/[\s\u00a0\u202f$%]/g, '')
    .replace(/^[−–]/, '-')
  const [, sign = '', digits = ''] = /^([+-]?)(.+)$/.exec(bare) ?? []
  const plain = readDigits(digits)
  return plain === undefined ? undefined : `${sign === '-' ? '-' : ''}${plain}`
}

function readDigits(digits: string): string | undefined {
  if (/^(\d+(\.\d*)?|\.\d+)$/.test(digits)) return digits.replace(/\.$/, '')
  if (/^0,\d{1,10}$/.test(digits)) return digits.replace(',', '.')
  if (/^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(digits)) return digits.replaceAll(',', '').replace(/\.$/, '')
  if (/^\d+,\d{1,2}$/.test(digits)) return digits.replace(',', '.')
  if (/^\d{1,3}(\.\d{3})+,\d{1,2}$/.test(digits)) return digits.replaceAll('.', '').replace(',', '.')
  return undefined
}

// Creating a formatter takes longer than rendering the rest of a card.
const formatters = new Map<string, Intl.NumberFormat>()

/** An amount as pages, mails and papers write it: "$115.00", "$1,299.50". */
export function moneyInWords(cents: number, currency = 'USD'): string {
  let formatter = formatters.get(currency)
  if (!formatter) {
    formatter = new Intl.NumberFormat('en-US', { style: 'currency', currency })
    formatters.set(currency, formatter)
  }
  return formatter.format(cents / 100)
}
