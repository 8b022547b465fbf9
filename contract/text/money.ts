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
