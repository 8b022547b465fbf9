import { type Random, seededRandom } from '#server/platform/seeded-random.ts'

/** Something that happens once the import has come so far (0 to 1) and some more milliseconds have passed. */
export type Trouble = { readonly at: number; readonly laterMs: number } & (
  | { readonly kind: 'request lost' | 'answer lost'; readonly times: number }
  /** All connections now, and the next ones after so many bytes of their answers. */
  | { readonly kind: 'line cut'; readonly nextCuts: readonly number[] }
  | { readonly kind: 'offline'; readonly forMs: number }
  | { readonly kind: 'reload' | 'second tab' }
  | { readonly kind: 'tab closed' | 'api killed' | 'worker killed'; readonly backAfterMs: number }
)

/** What one seed does in the wizard: the same for the same number, on every machine. */
export type WizardPlan = {
  readonly seed: number
  /** A yard's first file, or the full stock a day later, which replaces it. */
  readonly scenario: 'first file' | 'next stock'
  readonly chunkSize: number
  readonly concurrency: number
  readonly troubles: readonly Trouble[]
}

export type WizardPlanOptions = {
  readonly rows: number
  readonly troubles: number
  readonly chunkSize?: number | undefined
}

/** Most of it while chunks are on their way, which is the first half. */
const LATEST = 0.7

export function planWizardSeed(seed: number, { rows, troubles, chunkSize }: WizardPlanOptions): WizardPlan {
  const random = seededRandom(`chaos wizard ${seed}`)
  const drawn = chunkSizeNear(rows / random.pick([5, 10, 20]))
  return {
    seed,
    scenario: seed % 2 === 0 ? 'next stock' : 'first file',
    chunkSize: chunkSize ?? drawn,
    concurrency: random.whole(1, 5),
    troubles: Array.from({ length: troubles }, () => drawTrouble(random)).sort((a, b) => a.at - b.at),
  }
}

/** A whole step within what the wizard offers. */
const chunkSizeNear = (rows: number) => Math.min(2_000, Math.max(100, Math.round(rows / 100) * 100))

const kinds = [
  'request lost',
  'answer lost',
  'line cut',
  'offline',
  'reload',
  'second tab',
  'tab closed',
  'api killed',
  'worker killed',
] as const satisfies Trouble['kind'][]

function drawTrouble(random: Random): Trouble {
  const when = { at: random.next() * LATEST, laterMs: random.whole(0, 200) }
  const kind = random.pick(kinds)
  if (kind === 'reload' || kind === 'second tab') return { ...when, kind }
  if (kind === 'request lost' || kind === 'answer lost') return { ...when, kind, times: random.whole(1, 3) }
  if (kind === 'offline') return { ...when, kind, forMs: random.whole(200, 4_000) }
  if (kind !== 'line cut') return { ...when, kind, backAfterMs: random.whole(0, 2_000) }
  // A head of an answer is about 400 bytes long.
  return {
    ...when,
    kind,
    nextCuts: Array.from({ length: random.whole(1, 3) }, () => random.whole(0, 800)),
  }
}

/** "reload at 42 %". */
export const tellTrouble = ({ kind, at }: Trouble): string => `${kind} at ${Math.round(at * 100)} %`
