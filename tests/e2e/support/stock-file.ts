import { randomBytes } from 'node:crypto'

const header = 'Stock #,Year,Make,Model,Part Type,Part #,Retail price,Notes,Group,Qty,Warehouse row'

/** The errors in every file of 1,501 rows and more, numbered like the spreadsheet. */
export const badRows = [
  { row: '43', column: 'Retail price', value: 'call us' },
  { row: '1,501', column: 'Year', value: '2O19' },
]

/** A yard’s export unique to the story: one word in each part’s name, and its own part numbers. */
export function stockFile(rows: number, { bad = true } = {}) {
  const mark = randomBytes(4).toString('hex')
  const word = `lot${mark}`
  const partNumber = (row: number) => `27060-${mark.toUpperCase()}-${row}`
  const lines = Array.from({ length: rows }, (_, row) => {
    const price = bad && row === 41 ? 'call us' : (20 + (row % 300) + 0.5).toFixed(2)
    const year = bad && row === 1_499 ? '2O19' : String(2005 + (row % 18))
    const part = `Alternator ${word}`
    const cells = [`W-${mark}-${row}`, year, 'Toyota', 'Camry', part, partNumber(row), price]
    return [...cells, '"Tested, plug intact"', 'Alternator', '1', `B-${row % 40}`].join(',')
  })
  return { name: `stock-${mark}.csv`, content: [header, ...lines].join('\r\n'), word, partNumber }
}
