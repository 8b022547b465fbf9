/* Pictures of barcodes as labels carry them, drawn from the tables of ISO/IEC 16388 (Code 39) and 15417 (Code 128). */

/** A byte of brightness for each pixel, row by row. */
export type Picture = { pixels: Uint8ClampedArray; width: number; height: number }

/** Of each character 9 bars and spaces, a wide one being a 1. */
const CODE_39: Readonly<Record<string, number>> = Object.fromEntries(
  Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ*', (character, at) => [
    character,
    Number.parseInt(
      `034121061160031130070025124064109049148019118058 00D10C04C01C103043142013112052007106046016
      1810C11C00911900D0094`
        .replaceAll(/\s/g, '')
        .slice(at * 3, at * 3 + 3),
      16,
    ),
  ]),
)

/** Of each value the widths of 3 bars and 3 spaces. */
const CODE_128 =
  `212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222123122123221223211221132
  221231213212223112312131311222321122321221312212322112322211212123212321232121111323131123131321112313132113132311211313
  231113231311112133112331132131113123113321133121313121211331231131213113213311213131311123311321331121312113312311332111
  314111221411431111111224111422121124121421141122141221112214112412122114122411142112142211241211221114413111241112134111
  111242121142121241114212124112124211411212421112421211212141214121412121111143111341131141114113114311411113411311113141
  114131311141411131211412211214211232`.replaceAll(/\s/g, '')

/** Widths of bars and spaces in turn, the first being a bar. */
type Stripes = readonly number[]

export function code39(text: string): Stripes {
  const widths = (character: string) =>
    Array.from({ length: 9 }, (_, at) => (((CODE_39[character] ?? 0) >> (8 - at)) & 1 ? 3 : 1))
  return [...`*${text}*`].flatMap((character) => [...widths(character), 1]).slice(0, -1)
}

const START_B = 104

export function code128(text: string): Stripes {
  const values = Array.from(text, (character) => character.charCodeAt(0) - 32)
  const check = values.reduce((sum, value, at) => sum + value * (at + 1), START_B) % 103
  const widths = (value: number) => Array.from(CODE_128.slice(value * 6, value * 6 + 6), Number)
  return [...[START_B, ...values, check].flatMap(widths), 2, 3, 3, 1, 1, 1, 2]
}

type Drawing = {
  width: number
  height: number
  /** Pixels of the narrowest bar. */
  narrow: number
  /** Pixels of a bar's length. */
  high: number
  /** Turned to the left about its middle. */
  degrees?: number
  /** Of black and white. Defaults to ink on paper. */
  shades?: readonly [dark: number, light: number]
}

/** Stripes in the middle of a picture. */
export function drawStripes(stripes: Stripes, drawing: Drawing): Picture {
  const { width, height, narrow, high, degrees = 0, shades: [dark, light] = [20, 235] } = drawing
  const modules = stripes.flatMap((wide, at) => Array<boolean>(wide).fill(at % 2 === 0))
  const isDark = (along: number, across: number) =>
    Math.abs(across) < high / 2 && modules[Math.floor(along / narrow + modules.length / 2)] === true
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  const pixels = new Uint8ClampedArray(width * height)
  for (let at = 0; at < pixels.length; at += 1) {
    const x = (at % width) - width / 2
    const y = Math.floor(at / width) - height / 2
    pixels[at] = isDark(x * cos - y * sin, x * sin + y * cos) ? dark : light
  }
  return { pixels, width, height }
}

/** With each pixel brighter or darker by chance, and neighbors mixed as by a lens that is a little out of focus. */
export function blurred({ pixels, width, height }: Picture, noise: number, chance: () => number): Picture {
  const noisy = pixels.map((pixel) => pixel + (chance() - 0.5) * 2 * noise)
  const mixed = noisy.map(
    (pixel, at) => (pixel * 2 + (noisy[at - 1] ?? pixel) + (noisy[at + 1] ?? pixel)) / 4,
  )
  return { pixels: mixed, width, height }
}
