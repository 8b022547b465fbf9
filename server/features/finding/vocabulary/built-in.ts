import { type Language, type LanguageRows, openLanguage } from '#contract/trade-language/language.ts'
import { readCsv } from '#db/data/read-data.ts'

/* The language that the program comes with, read once: 0.02 s. It is the same in every process of a version. */

/** The rows of a file of `db/data/`. */
export const rowsOf = <Row>(file: string) =>
  readCsv(new URL(`../../../../db/data/${file}`, import.meta.url)) as Row[]

/** The rows of the data files, which the import wizard gets, too. */
export const languageRows: LanguageRows = {
  words: rowsOf('words.csv'),
  foreign: rowsOf('foreign-parts.csv'),
  fillers: rowsOf('filler-words.csv'),
  generations: rowsOf('generations.csv'),
  engines: rowsOf('engine-codes.csv'),
  gearboxes: rowsOf('gearbox-codes.csv'),
  relatives: rowsOf('part-relatives.csv'),
  ordinary: rowsOf('ordinary-words.csv'),
}

export const language: Language = openLanguage(languageRows)

export const { sideOf, endOf, withPosition, cornersAmong, positionsOf } = language.places
