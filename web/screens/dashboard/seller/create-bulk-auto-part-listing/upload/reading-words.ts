import { encodingNames } from '#contract/yard-file/detect-reading.ts'
import { encodings, type Quote, quotes } from '#contract/yard-file/reading.ts'

export const encodingChoices = encodings.map((value) => ({ value, label: encodingNames[value] }))

const delimiterNames: Record<string, string> = {
  ',': 'Comma ,',
  ';': 'Semicolon ;',
  '\t': 'Tab',
  '|': 'Bar |',
  ':': 'Colon :',
  '^': 'Caret ^',
  '~': 'Tilde ~',
}

/** The usual ones, and the file's own where it is none of them. */
export const delimiterChoices = (current: string): { value: string; label: string }[] => {
  const known = Object.entries(delimiterNames).map(([value, label]) => ({ value, label }))
  return Object.hasOwn(delimiterNames, current)
    ? known
    : [...known, { value: current, label: `Other ${shown(current)}` }]
}

const shown = (mark: string) => (mark.trim() === '' ? `character ${mark.charCodeAt(0)}` : mark)

const quoteNames: Record<Quote, string> = { '"': 'Double quotes "', "'": "Single quotes '", '': 'None' }
/** A picker takes no empty text for a value. */
export const noQuote = 'none'
export const quoteChoices = quotes.map((quote) => ({ value: quote || noQuote, label: quoteNames[quote] }))

export const decimalChoices = [
  { value: 'point', label: '1,299.00 (a point before the cents)' },
  { value: 'comma', label: '1.299,00 (a comma before the cents)' },
]
