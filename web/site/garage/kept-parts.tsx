import { type ReactNode, useEffect, useState } from 'react'
import type { ErrorReply } from '#contract/endpoint.ts'
import { MAX_CARDS } from '#contract/pages/garage-limits.ts'
import type { KeptCard } from '#contract/search/parts-search.ts'
import { clearSeen, type KeptPart, useGarage } from '#web/api/garage/garage.ts'
import { Button } from '#web/site/button.tsx'
import { PartGrid } from '#web/site/card/part-card.tsx'
import { Section } from '#web/site/page.tsx'
import classes from './garage.module.css'

type Problem = { sentence: string; isOfZip: boolean }

type Cards = {
  /** Null for a part that is no longer public. */
  cards: ReadonlyMap<string, KeptCard | null>
  /** The ZIP code of their distances; '' for none. */
  measuredFrom: string
  /** Why some could not be loaded. */
  problem: Problem | undefined
  retry: () => void
}

const none: ReadonlyMap<string, KeptCard | null> = new Map()

/** The current cards of parts, loaded a few at a time, with distances if there is a ZIP code. */
export function useCards(ids: readonly string[], zip = ''): Cards {
  const [read, setRead] = useState({ cards: none, zip })
  const [problem, setProblem] = useState<Problem & { zip: string }>()
  const isCurrent = read.zip === zip
  const next = ids
    .filter((id) => !(isCurrent && read.cards.has(id)))
    .slice(0, MAX_CARDS)
    .join()
  const isBlocked = problem?.zip === zip
  useEffect(() => {
    if (next === '' || isBlocked) return
    const controller = new AbortController()
    readCards(next, zip, controller.signal).then(
      (found) => {
        if (controller.signal.aborted) return
        setProblem(undefined)
        setRead((before) => ({
          zip,
          cards: new Map([...(before.zip === zip ? before.cards : none), ...found]),
        }))
      },
      (error: unknown) => {
        if (controller.signal.aborted) return
        setProblem({
          zip,
          sentence: error instanceof Error ? error.message : UNREADABLE,
          isOfZip: error instanceof RefusedZip,
        })
      },
    )
    return () => controller.abort()
  }, [next, zip, isBlocked])
  return {
    // Old distances stay until the new ones are loaded.
    cards: read.cards,
    measuredFrom: read.cards.size > 0 ? read.zip : '',
    problem: isBlocked ? problem : undefined,
    retry: () => setProblem(undefined),
  }
}

const UNREADABLE = 'These parts could not be loaded.'

class RefusedZip extends Error {}

async function readCards(
  ids: string,
  zip: string,
  signal: AbortSignal,
): Promise<[string, KeptCard | null][]> {
  const query = new URLSearchParams({ ids, ...(zip && { zip }) })
  const response = await fetch(`/api/parts/cards?${query}`, { signal, cache: 'no-cache' }).catch(
    () => undefined,
  )
  if (response?.status === 422)
    throw new RefusedZip(((await response.json()) as ErrorReply).fields?.zip ?? UNREADABLE)
  if (!response?.ok) throw new Error(UNREADABLE)
  const { items } = (await response.json()) as { items: KeptCard[] }
  const found = new Map(items.map((card) => [card.id, card]))
  return ids.split(',').map((id) => [id, found.get(id) ?? null])
}

type KeptPartsProps = {
  parts: readonly KeptPart[]
  /** Below parts that are no longer public. */
  gone?: (parts: readonly KeptPart[]) => ReactNode
}

/** Parts as cards, in their order. */
export function KeptParts({ parts, gone }: KeptPartsProps) {
  const [count, setCount] = useState(MAX_CARDS)
  const shown = parts.slice(0, count)
  const { cards, problem, retry } = useCards(shown.map(({ id }) => id))
  const missing = shown.filter(({ id }) => cards.get(id) === null)
  const isWaiting = problem === undefined && shown.some(({ id }) => !cards.has(id))
  return (
    <div className={classes.parts} aria-busy={isWaiting}>
      <PartGrid parts={shown.flatMap(({ id }) => cards.get(id) ?? [])} heading="h3" />
      {isWaiting && <p className="second">Loading parts…</p>}
      {problem !== undefined && (
        <p role="alert">
          {problem.sentence}{' '}
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        </p>
      )}
      {missing.length > 0 && gone?.(missing)}
      {parts.length > count && (
        <Button onClick={() => setCount(count + MAX_CARDS)}>
          {`Show ${Math.min(MAX_CARDS, parts.length - count)} more`}
        </Button>
      )}
    </div>
  )
}

/** Recently viewed parts; nothing before the first. */
export function SeenParts({ most = 4 }: { most?: number }) {
  const { seen } = useGarage()
  if (seen.length === 0) return null
  return (
    <Section
      id="seen"
      title="Recently seen"
      more={
        <Button
          size="small"
          look="quiet"
          onClick={() => {
            clearSeen()
            focusContent()
          }}
        >
          Clear
        </Button>
      }
    >
      <KeptParts parts={seen.slice(0, most)} />
    </Section>
  )
}

/** For a button that disappears when pressed: keyboard users continue at the start of the content. */
export const focusContent = () => document.getElementById('main')?.focus({ preventScroll: true })
