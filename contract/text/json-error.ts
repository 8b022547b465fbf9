/**
 * Finds where a text stops being valid JSON, for people who edit a file by hand. The engine's own messages give the
 * position only sometimes. Runs only on texts that already failed to parse.
 */

export type JsonError = {
  /** Counted from 1. */
  readonly line: number
  readonly column: number
  /** What was expected there, for a message: “a comma or “]””. */
  readonly expected: string
}

type Token = '[' | ']' | '{' | '}' | ',' | ':' | 'text' | 'scalar'
type State = 'value' | 'first item' | 'first name' | 'name' | 'colon' | 'after item' | 'after field' | 'end'
/** The transition for a token: to another state, or to the end of a value, list or object. */
type Transitions = { readonly [token in Token]?: State | 'value ends' | 'closes' }

const VALUE: Transitions = { '[': 'first item', '{': 'first name', text: 'value ends', scalar: 'value ends' }

const grammar: Record<State, { readonly expected: string; readonly course: Transitions }> = {
  value: { expected: 'a value', course: VALUE },
  'first item': { expected: 'a value or “]”', course: { ...VALUE, ']': 'closes' } },
  'first name': {
    expected: 'a field name in quotation marks or “}”',
    course: { text: 'colon', '}': 'closes' },
  },
  name: { expected: 'a field name in quotation marks', course: { text: 'colon' } },
  colon: { expected: 'a colon', course: { ':': 'value' } },
  'after item': { expected: 'a comma or “]”', course: { ',': 'value', ']': 'closes' } },
  'after field': { expected: 'a comma or “}”', course: { ',': 'name', '}': 'closes' } },
  end: { expected: 'nothing more', course: {} },
}

/** Returns undefined if the text is valid JSON. */
export function findJsonError(text: string): JsonError | undefined {
  const open: Open[] = []
  let state: State = 'value'
  let at = skip(SPACE, text, 0)
  while (at < text.length) {
    const { expected, course }: (typeof grammar)[State] = grammar[state]
    const { token, end, wrong } = readToken(text, at)
    const next = token && course[token]
    if (!next) return placeOf(text, at, expected)
    if (wrong) return placeOf(text, end, wrong)
    state = stateAfter(next, open)
    at = skip(SPACE, text, end)
  }
  return state === 'end' ? undefined : placeOf(text, at, grammar[state].expected)
}

/** The state after a value, for each open list and object. */
type Open = 'after item' | 'after field'

function stateAfter(next: State | 'value ends' | 'closes', open: Open[]): State {
  if (next === 'first item') open.push('after item')
  if (next === 'first name') open.push('after field')
  if (next === 'closes') open.pop()
  return next === 'closes' || next === 'value ends' ? (open.at(-1) ?? 'end') : next
}

const SPACE = /[ \t\r\n]*/y
const MARK = /[[\]{},:]/
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const PLAIN_TEXT = /[^"\\\p{Cc}]*/uy
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

type Read = { token: Token | undefined; end: number /** Expected at `end` instead. */; wrong?: string }

function readToken(text: string, at: number): Read {
  const sign = text.charAt(at)
  if (MARK.test(sign)) return { token: sign as Token, end: at + 1 }
  if (sign === '"') return readText(text, at + 1)
  const end = skip(SCALAR, text, at)
  return { token: end > at ? 'scalar' : undefined, end }
}

function readText(text: string, from: number): Read {
  let at = skip(PLAIN_TEXT, text, from)
  while (at < text.length) {
    const sign = text.charAt(at)
    if (sign === '"') return { token: 'text', end: at + 1 }
    const end = sign === '\\' ? skip(ESCAPE, text, at) : at + 1
    if (sign < ' ') return badText(at, 'a closing quotation mark (a line end inside of text is \\n)')
    if (end === at) return badText(at, 'a backslash only before " \\ / b f n r t or u with four digits')
    at = skip(PLAIN_TEXT, text, end)
  }
  return badText(at, 'a closing quotation mark')
}

const badText = (end: number, wrong: string): Read => ({ token: 'text', end, wrong })

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function placeOf(text: string, at: number, expected: string): JsonError {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n'), expected }
}
