import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { groupKey, readDrawing, readPartTypes } from './read-data.ts'

const groups = [...new Set(readPartTypes().map((type) => type.group))]
const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0

describe('drawings', () => {
  it('are one for each part group, and the general one', () => {
    const files = readdirSync(new URL('./drawings', import.meta.url)).sort()
    expect(files).toEqual([...groups.map((group) => `${groupKey(group)}.svg`), 'part.svg'].sort())
  })

  it.each([...groups, 'part'])('%s is drawn by the rules of the house', (group) => {
    const svg = readDrawing(group)
    expect(svg).toMatch(/^<svg id="drawing" [^>]*viewBox="0 0 440 370" fill="none" stroke="currentColor"/)
    // Pages refer to the drawing by this id; many share a page, so it is small and has no others.
    expect(Buffer.byteLength(svg)).toBeLessThan(4000)
    expect(svg.replace(' id="drawing"', '')).not.toMatch(
      /\s(id|class|style)=|<(text|style|script|image|use|defs)\b|https?:(?!\/\/www\.w3\.org\/2000\/svg)/,
    )
    // Line art: nothing is filled, one piece is highlighted.
    expect(svg.replace('fill="none"', '')).not.toContain('fill=')
    expect(count(svg, /stroke="var\(--drawing-accent, #c2410c\)"/g)).toBe(1)
    expect(count(svg, /stroke="/g)).toBe(2)
  })
})
