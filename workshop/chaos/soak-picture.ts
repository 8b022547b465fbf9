/* What is measured while the program works for long, whether it stays flat, and its picture. */

/** A quantity over time, in the order of its samples. */
export type Course = {
  readonly name: string
  readonly unit: string
  readonly values: readonly number[]
  /** Growth that is noise: a share of what it was, and an amount. Undefined for what may go up and down. */
  readonly mayGrow?: { readonly share: number; readonly by: number }
}

/** The middle one, so that a burst in the middle of an import decides nothing. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Its middle value in the second and in the last quarter; the first quarter fills caches and pools. */
export function quartersOf({ values }: Course): { early: number; late: number } {
  const quarter = Math.floor(values.length / 4)
  return {
    early: median(values.slice(quarter, 2 * quarter)),
    late: median(values.slice(values.length - quarter)),
  }
}

export function isFlat(course: Course): boolean {
  const { early, late } = quartersOf(course)
  const { mayGrow } = course
  return !mayGrow || late <= early * (1 + mayGrow.share) + mayGrow.by
}

const WIDTH = 760
const PANEL = 110
const LEFT = 90
const RIGHT = 20
const TOP = 34
const BOTTOM = 24
const COLORS = ['#1f5fa8', '#b4530a', '#2c7a4b', '#7a3b8f']

/** Courses of the same unit share a panel; every panel begins at 0. */
export function drawCourses(
  courses: readonly Course[],
  { title, minutes }: { title: string; minutes: number },
): string {
  const panels = Object.entries(Object.groupBy(courses, ({ unit }) => unit))
  const height = TOP + panels.length * PANEL + BOTTOM
  const drawn = panels.map(([unit, all = []], at) => drawPanel(all, { unit, top: TOP + at * PANEL }))
  const end = WIDTH - RIGHT
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="${LEFT}" y="20" font-size="14" fill="#222">${title}</text>
${drawn.join('\n')}
<text x="${LEFT}" y="${height - 8}" fill="#555">0 min</text>
<text x="${end}" y="${height - 8}" fill="#555" text-anchor="end">${minutes} min</text>
</svg>
`
}

function drawPanel(courses: readonly Course[], { unit, top }: { unit: string; top: number }): string {
  const most = Math.max(1, ...courses.flatMap(({ values }) => values))
  const floor = top + PANEL - 18
  const room = PANEL - 40
  const end = WIDTH - RIGHT
  const lines = courses.map(({ name, values }, at) => {
    const step = (end - LEFT) / Math.max(1, values.length - 1)
    const points = values.map((value, index) =>
      [LEFT + index * step, floor - (value / most) * room].map((place) => place.toFixed(1)).join(','),
    )
    const color = COLORS[at % COLORS.length]
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="1.5"/>
<text x="${LEFT + at * 170}" y="${top + 12}" fill="${color}">${name}</text>`
  })
  return `<line x1="${LEFT}" x2="${end}" y1="${floor}" y2="${floor}" stroke="#bbb"/>
<text x="${LEFT - 8}" y="${floor + 4}" fill="#555" text-anchor="end">0</text>
<text x="${LEFT - 8}" y="${floor - room + 4}" fill="#555" text-anchor="end">${Math.round(most)} ${unit}</text>
${lines.join('\n')}`
}
