/*
 * Text of a person within a query language. SQL takes it as a parameter; these are the languages inside of one, and the only
 * places where such text is put together with their operators.
 */

/** One lexeme of a tsquery, whatever characters it has. */
export const quotedLexeme = (lexeme: string): string => `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'`

/** Any text that begins with this lexeme. */
export const lexemePrefix = (lexeme: string): string => `${quotedLexeme(lexeme)}:*`

const QUOTED = String.raw`'(?:[^'\\]|''|\\\\)*'`
const TOKENS = new RegExp(String.raw`${QUOTED}(?::\*)?|[&|!()]`, 'g')

/** The quoted lexemes, operators and brackets of a tsquery's text. */
export const tokensOf = (query: string): string[] => query.match(TOKENS) ?? []

/** The lexeme of a token; undefined for operators and brackets. */
export const lexemeOf = (token: string): string | undefined =>
  token.startsWith("'") ? token.replace(/^'|'(?::\*)?$/g, '').replaceAll(/(['\\])\1/g, '$1') : undefined

const PREFIXES = new RegExp(String.raw`(${QUOTED}):\*`, 'g')

/** The same query for whole words. */
export const withoutPrefixes = (query: string): string => query.replaceAll(PREFIXES, '$1')

/** A pattern of LIKE for the text itself. */
export const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** A pattern of LIKE for any text that contains this one. */
export const likePart = (text: string): string => `%${likeText(text)}%`

/** A regular expression of PostgreSQL that matches only this text. */
export const literalPattern = (text: string): string => `***=${text}`
