import type pg from 'pg'
import { isTracing, openSpan } from './tracing.ts'

type Query = (statement: unknown, ...rest: unknown[]) => unknown
type Callback = (error: Error | undefined, result: unknown) => void

/** Gives every statement of a connection a span with its name, never with its text or values. */
export function traceQueries(client: pg.ClientBase): void {
  if (!isTracing()) return
  const query = client.query.bind(client) as Query
  const queryTraced: Query = (statement, ...rest) => {
    const name = statementName(textOf(statement))
    const span = openSpan({
      name,
      kind: 'client',
      facts: { 'db.system.name': 'postgresql', 'db.query.summary': name },
    })
    if (!span) return query(statement, ...rest)
    const callback = rest.at(-1)
    // The pool's own `query` passes a callback.
    if (typeof callback === 'function') {
      const answer: Callback = (error, result) => {
        span.end({ error })
        ;(callback as Callback)(error, result)
      }
      return query(statement, ...rest.slice(0, -1), answer)
    }
    const result = query(statement, ...rest)
    if (result instanceof Promise) {
      result.then(
        () => span.end({}),
        (error: unknown) => span.end({ error }),
      )
    } else span.end({})
    return result
  }
  client.query = queryTraced as typeof client.query
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  const { text } = (statement ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}

// Long enough for the first parts of a `with` chain; some statements have 10 kB.
const READ_CHARACTERS = 4_000
const NAMES_KEPT = 1_000

const names = new Map<string, string>()

/** Names a statement by its verb and table: `select listing`, `insert job_event`, `with matches: select listing`. */
export function statementName(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = readName(text.slice(0, READ_CHARACTERS))
  if (names.size < NAMES_KEPT) names.set(text, name)
  return name
}

function readName(text: string): string {
  const words = text
    .replaceAll(/\/\*.*?\*\/|--[^\n]*/gs, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, ' ')
    .replaceAll('"', '')
    .trim()
    .toLowerCase()
  const first = /^\w+/.exec(words)?.[0]
  if (first === undefined) return 'statement'
  const step = /^with (?:recursive )?(\w+)/.exec(words)?.[1]
  const [, verb = first, table = ''] =
    /\b(insert) into (\w+)|\b(update) (?!skip|of|nowait)(\w+)|\b(delete) from (\w+)|\b(copy) (\w+)/
      .exec(words)
      ?.filter((part) => part !== undefined) ?? []
  const source = /\bfrom (?:only )?(\w+)/.exec(words)?.[1]
  const what =
    table !== ''
      ? `${verb} ${table}`
      : [step === undefined ? first : 'select', source].filter(Boolean).join(' ')
  return step === undefined ? what : `with ${step}: ${what}`
}
