import type { PictureMark } from '#contract/pictures.ts'
import { readDrawing } from '#db/data/read-data.ts'
import { drawSvgs } from '#server/features/market/pictures/read-picture.ts'
import { type StoredPicture, storeDrawing } from '#server/features/market/pictures/store-picture.ts'
import { copyRows } from '#server/platform/database/copy-rows.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { seededRandom } from '#server/platform/seeded-random.ts'
import type { GeneratedListing } from './demo-stock.ts'

/* The pictures of the demo's parts: drawings of their groups from several sides, shared by all listings. */

/** A section of the drawing, given by its `viewBox`, possibly mirrored. */
type View = { readonly words: string; readonly box: string; readonly transform?: string }

const views = {
  front: { words: '', box: '0 0 440 370' },
  back: {
    words: ', from the other side',
    box: '0 0 440 370',
    transform: 'translate(440) scale(-1 1)',
  },
  close: { words: ', close up', box: '110 92 220 185' },
} as const satisfies Record<string, View>
type ViewName = keyof typeof views

// One and a half times the drawings' own 440 by 370 for the one that stands for the part: sharp on its page, and with a
// smaller copy for cards. Each drawing takes 30 ms of processor time, and 10 ms in the size of a card.
const SIZES = { whole: { width: 660, height: 555 }, other: { width: 440, height: 370 } } as const
const DENSITY_AT_440 = 72

/** The stored pictures of each part group by view. */
export type Drawings = ReadonlyMap<string, ReadonlyMap<ViewName, StoredPicture>>

/**
 * Draws the pictures of each part group. Files are stored before their rows; if the
 * transaction fails, the sweeper removes them after a day.
 */
export async function storeDrawings(files: FileStore, groups: readonly string[]): Promise<Drawings> {
  const names = Object.keys(views) as ViewName[]
  const [whole, others] = await Promise.all([
    drawViews(files, groups, { names: ['front'], size: SIZES.whole }),
    drawViews(files, groups, { names: names.filter((name) => name !== 'front'), size: SIZES.other }),
  ])
  const byGroup = Map.groupBy([...whole, ...others], ({ group }) => group)
  return new Map(
    Array.from(byGroup, ([group, drawn]) => [
      group,
      new Map(drawn.map(({ name, picture }) => [name, picture])),
    ]),
  )
}

type Drawing = { names: readonly ViewName[]; size: { width: number; height: number } }

async function drawViews(files: FileStore, groups: readonly string[], { names, size }: Drawing) {
  const wanted = groups.flatMap((group) => names.map((name) => ({ group, name })))
  const svgs = wanted.map(({ group, name }) => inked(readDrawing(group), views[name]))
  const drawn = await drawSvgs(svgs, { density: (DENSITY_AT_440 * size.width) / SIZES.other.width, size })
  const stored = await Promise.all(drawn.map((picture) => storeDrawing(files, picture)))
  return wanted.flatMap(({ group, name }, at) => {
    const picture = stored[at]
    return picture ? [{ group, name, picture }] : []
  })
}

const columns = ['listing_id', 'position', 'alt', 'sha256', 'width', 'height', 'widths', 'marks']

/** Writes the pictures of new listings by COPY, in a quarter of the time of an insert. */
export async function insertPictures(
  trx: Db,
  listings: readonly GeneratedListing[],
  drawings: Drawings,
): Promise<void> {
  await copyRows(trx, 'listing_image', columns, pictureRows(listings, drawings))
}

function* pictureRows(listings: readonly GeneratedListing[], drawings: Drawings) {
  for (const listing of listings) {
    for (const [position, { name, marks }] of picturesOf(listing).entries()) {
      const picture = drawings.get(listing.group)?.get(name)
      if (!picture) throw new Error(`no drawing of ${listing.group}`)
      const { sha256, width, height, widths } = picture
      const alt = `Line drawing: ${listing.group}${views[name].words}`
      yield [
        listing.id,
        position,
        alt,
        sha256,
        width,
        height,
        `{${widths.join(',')}}`,
        JSON.stringify(marks),
      ] as const
    }
  }
}

type Shown = { name: ViewName; marks: readonly PictureMark[] }

// The number of pictures of ten parts.
const COUNTS = [1, 1, 2, 2, 2, 2, 2, 2, 3, 3]

/**
 * The pictures of a listing, the one for cards first. A part for the right side is drawn the other way around. Damage is
 * marked on the whole part and close up.
 */
export function picturesOf({ id, hasPicture, isMarked, text, pulled }: GeneratedListing): Shown[] {
  if (!hasPicture) return []
  const random = seededRandom(`pictures of ${id}`)
  const sides: ViewName[] = pulled.numbered.detail.includes('right') ? ['back', 'front'] : ['front', 'back']
  const [cover = 'front', reverse = 'back'] = sides
  const names: ViewName[] = isMarked ? [cover, 'close', reverse] : [cover, reverse, 'close']
  const count = Math.max(random.pick(COUNTS), isMarked ? 2 : 1)
  const place = { x: random.whole(30, 70) / 100, y: random.whole(30, 70) / 100 }
  return names.slice(0, count).map((name) => ({
    name,
    marks: isMarked ? markOn(name, { ...place, note: text.partdamage ?? '' }) : [],
  }))
}

/** The mark on a picture; none on those of the other sides. `mark` has its place in the section that is shown close up. */
function markOn(name: ViewName, mark: PictureMark): PictureMark[] {
  if (name === 'close') return [mark]
  if (name !== 'front' && name !== 'back') return []
  const [left = 0, top = 0, width = 0, height = 0] = views.close.box.split(' ').map(Number)
  const { width: fullWidth, height: fullHeight } = SIZES.other
  const x = (left + width * mark.x) / fullWidth
  const rounded = (value: number) => Math.round(value * 1_000) / 1_000
  const y = rounded((top + height * mark.y) / fullHeight)
  return [{ ...mark, x: rounded(name === 'front' ? x : 1 - x), y }]
}

/** Shades of sea and rust that are clear on the ground of either theme, which shows through. */
const INK = { sea: '#2a93aa', rust: '#e2571c' } as const

/** Renders the drawing in our colors, a little smaller than the card, without a background. */
function inked(drawing: string, { box, transform = '' }: View): string {
  const lines = drawing
    .replaceAll('var(--drawing-accent, #c2410c)', INK.rust)
    .replaceAll('currentColor', INK.sea)
    .replace('<svg ', '<svg x="26" y="22" width="388" height="326" ')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="440" height="370" viewBox="${box}">
    <g transform="${transform}">${lines}</g>
  </svg>`
}
