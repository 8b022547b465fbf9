import type { Ruler } from './log-rows.ts'

// The style sheet says so, too.
const TAB = 4

/** Measures the signs of a font, each once. */
export function measureFont(element: HTMLElement): Omit<Ruler, 'room'> {
  const { fontSize, fontFamily } = getComputedStyle(element)
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.font = `${fontSize} ${fontFamily}`
  const measure = (sign: string) => context?.measureText(sign).width ?? Number.parseFloat(fontSize)
  const widths = new Map<string, number>()
  const widthOf = (sign: string): number => {
    const known = widths.get(sign)
    if (known !== undefined) return known
    const width = sign === '\t' ? TAB * measure(' ') : measure(sign)
    widths.set(sign, width)
    return width
  }
  const widest = Math.max(...['M', 'W', '@', '0'].map(widthOf))
  return { widthOf, widest }
}
