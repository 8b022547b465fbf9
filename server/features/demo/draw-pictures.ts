import { readDrawing } from '#db/data/read-data.ts'

// One and a half times the drawings' own 440 by 370: sharp on cards and on a listing's page. At 900 pixels, which lines
// do not need, encoding all of them would be half of the whole load.
const SIZE = { width: 660, height: 555 } as const

/** Sea and rust of the light theme: pictures look the same in both, as photographs do. */
const INK = { sea: '#0f6e84', rust: '#c2410c' } as const

/**
 * Draws one picture (PNG) for each part group on the soft ground of our cards. Our own SVG is the only one that the
 * program ever reads; the decoder is shut again when this is done, since uploads must never reach it.
 */
export async function drawPictures(groups: readonly string[]): Promise<Map<string, Buffer>> {
  const { default: sharp } = await import('sharp')
  const svgDecoder = { operation: ['VipsForeignLoadSvgBuffer'] }
  sharp.unblock(svgDecoder)
  try {
    const draw = async (group: string) => {
      const image = sharp(Buffer.from(onCard(readDrawing(group))), { density: (72 * SIZE.width) / 440 })
      // Encoded once more as WebP when stored, so small matters less than quick.
      return [group, await image.resize(SIZE).png({ compressionLevel: 1 }).toBuffer()] as const
    }
    return new Map(await Promise.all(groups.map(draw)))
  } finally {
    sharp.block(svgDecoder)
  }
}

/** The drawing in our colours, a little smaller than the card, on a ground that goes from soft sea to paper. */
function onCard(drawing: string): string {
  const inked = drawing
    .replaceAll('var(--drawing-accent, #c2410c)', INK.rust)
    .replaceAll('currentColor', INK.sea)
    .replace('<svg ', '<svg x="26" y="22" width="388" height="326" ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 440 370">
    <linearGradient id="ground" x1="0" y1="0" x2="1" y2="1">
      <stop offset="0" stop-color="#dceef1"/><stop offset="1" stop-color="#f6f5f1"/>
    </linearGradient>
    <rect width="440" height="370" fill="url(#ground)"/>${inked}
  </svg>`
}
