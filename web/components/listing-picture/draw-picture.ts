/** Somewhat more than the server stores, so that its own scaling starts from sharp pixels. */
const LONGEST_SIDE = 2_000
/** For a tile, at two pixels per point: 24 phone photos at full size would not fit in a phone's memory. */
const THUMB_SIDE = 440

type Size = { width: number; height: number }

/** Scales down, never up. */
export function fitted({ width, height }: Size, longestSide: number): Size {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

export type DrawnPicture = { full: Blob; thumb: Blob }

/** The picture in a file, upright and small, without camera data; undefined if this browser cannot draw it. */
export async function drawPicture(file: Blob): Promise<DrawnPicture | undefined> {
  try {
    // Rotates the picture upright by default.
    const bitmap = await createImageBitmap(file)
    const full = draw(bitmap, LONGEST_SIDE)
    bitmap.close()
    const thumb = draw(full, THUMB_SIDE)
    // JPEG: not every browser writes WebP, which takes a phone photo five times as long for no fewer bytes.
    return {
      full: await full.convertToBlob({ type: 'image/jpeg', quality: 0.88 }),
      thumb: await thumb.convertToBlob({ type: 'image/jpeg', quality: 0.8 }),
    }
  } catch {
    return undefined
  }
}

function draw(picture: ImageBitmap | OffscreenCanvas, longestSide: number): OffscreenCanvas {
  const { width, height } = fitted(picture, longestSide)
  const canvas = new OffscreenCanvas(width, height)
  // Drawn by the CPU: graphics cards round differently each time, and the server recognizes known pictures by their
  // pixels.
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('No canvas')
  // JPEG has no transparency, and a cutout would end up on black.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, width, height)
  return canvas
}
