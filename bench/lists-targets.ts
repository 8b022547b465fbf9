import type { LoadFigures } from './http-load.ts'
import { figure, markdownTable, verdict } from './markdown-table.ts'

export type Measured = {
  rows: number
  name: string
  connections: number
  /** The same bytes without a database. */
  bare: LoadFigures
  /** Only the fastest statement for the page. */
  statement: LoadFigures
  ours: LoadFigures
}

const LEAST_OF_STATEMENT = 0.6
const MOST_P99_OF_STATEMENT = 2
const MOST_DEEP_OF_FIRST = 10
const MOST_OF_SMALL = 2

export function tellPages(measured: readonly Measured[]): string {
  const head = [
    'page',
    'connections',
    'p50 ms',
    'p99 ms',
    'a second',
    'statement p50',
    'p99',
    'a second',
    'bare a second',
    'of statement',
  ]
  return markdownTable(
    head,
    measured.map(({ name, connections, bare, statement, ours }) => [
      name,
      String(connections),
      milliseconds(ours.p50),
      milliseconds(ours.p99),
      figure(ours.perSecond),
      milliseconds(statement.p50),
      milliseconds(statement.p99),
      figure(statement.perSecond),
      figure(bare.perSecond),
      percent(ours.perSecond / statement.perSecond),
    ]),
  )
}

const milliseconds = (ms: number) => ms.toFixed(ms < 10 ? 2 : 1)
const percent = (share: number) => `${Math.round(share * 100)} %`

type Target = { name: string; worst: { share: number; where: string }; isMet: boolean; told: string }

export function tellTargets(measured: readonly Measured[]): { text: string; areMet: boolean } {
  const targets = [ofStatement(measured), slowest(measured), deep(measured), grown(measured)].filter(
    (target) => target !== undefined,
  )
  const rows = targets.map(({ name, told, worst, isMet }) => [name, told, worst.where, verdict(isMet)])
  return {
    text: markdownTable(['target', 'worst', 'where', ''], rows),
    areMet: targets.every(({ isMet }) => isMet),
  }
}

const where = ({ rows, name, connections }: Measured) =>
  `${name}, ${figure(rows)} listings, ${connections} connections`

/** The one with the greatest share. */
function worstOf(
  measured: readonly Measured[],
  shareOf: (one: Measured) => number,
): Target['worst'] | undefined {
  const [worst] = measured.toSorted((a, b) => shareOf(b) - shareOf(a))
  return worst && { share: shareOf(worst), where: where(worst) }
}

function ofStatement(measured: readonly Measured[]): Target | undefined {
  const worst = worstOf(measured, ({ ours, statement }) => statement.perSecond / ours.perSecond)
  return (
    worst && {
      name: `throughput at least ${percent(LEAST_OF_STATEMENT)} of the statement's route`,
      worst,
      isMet: 1 / worst.share >= LEAST_OF_STATEMENT,
      told: percent(1 / worst.share),
    }
  )
}

function slowest(measured: readonly Measured[]): Target | undefined {
  const worst = worstOf(
    measured.filter(({ connections }) => connections === 16),
    ({ ours, statement }) => ours.p99 / statement.p99,
  )
  return (
    worst && {
      name: `p99 at 16 connections at most ${MOST_P99_OF_STATEMENT} times the statement's route`,
      worst,
      isMet: worst.share <= MOST_P99_OF_STATEMENT,
      told: times(worst.share),
    }
  )
}

function deep(measured: readonly Measured[]): Target | undefined {
  const first = (one: Measured) =>
    measured.find(
      (other) =>
        other.name === 'public list' && other.rows === one.rows && other.connections === one.connections,
    )
  const worst = worstOf(
    measured.filter((one) => one.name === '200 deep pages' && first(one)),
    (one) => one.ours.p99 / (first(one)?.ours.p99 ?? 1),
  )
  return (
    worst && {
      name: `p99 of deep pages at most ${MOST_DEEP_OF_FIRST} times the first page's`,
      worst,
      isMet: worst.share <= MOST_DEEP_OF_FIRST,
      told: times(worst.share),
    }
  )
}

function grown(measured: readonly Measured[]): Target | undefined {
  const smallest = Math.min(...measured.map(({ rows }) => rows))
  const small = (one: Measured) =>
    measured.find(
      (other) => other.rows === smallest && other.name === one.name && other.connections === one.connections,
    )
  const worst = worstOf(
    measured.filter((one) => one.rows > smallest && small(one)),
    (one) => one.ours.p50 / (small(one)?.ours.p50 ?? 1),
  )
  return (
    worst && {
      name: `p50 at most ${MOST_OF_SMALL} times that of ${figure(smallest)} listings`,
      worst,
      isMet: worst.share <= MOST_OF_SMALL,
      told: times(worst.share),
    }
  )
}

const times = (share: number) => `${share.toFixed(1)} times`
