import type { Page } from '@playwright/test'
import { expect } from './story.ts'

/** Checks that nothing on the open page is cut off, sticks out of the window, or is uneven. */
export async function expectSoundLayout(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(findFaults), { timeout: 2_000 }).toEqual([])
}

/** Runs in the page. Grids cut off their cells on purpose: they have fixed rows, and show a cell's text when it is active. */
function findFaults(): string[] {
  const faults = new Set<string>()
  const width = document.documentElement.clientWidth
  const pen = document.createElement('canvas').getContext('2d')

  const nameOf = (element: Element) => {
    const text = element.textContent.trim().replaceAll(/\s+/g, ' ')
    return `${element.tagName.toLowerCase()} “${text.slice(0, 60)}”`
  }
  const isInScroller = (element: Element) => {
    for (let one = element.parentElement; one; one = one.parentElement) {
      if (getComputedStyle(one).overflowX !== 'visible') return true
    }
    return false
  }
  /** How much wider a text of a field is than its place, in pixels. */
  const excess = (field: HTMLElement, text: string) => {
    const style = getComputedStyle(field)
    if (!pen) return 0
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
    const room =
      field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
    return pen.measureText(text).width - room
  }
  const checkText = (element: Element, style: CSSStyleDeclaration) => {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
    if (!hasText || style.clipPath !== 'none' || !['hidden', 'clip'].includes(style.overflowX)) return
    if (element.scrollWidth > element.clientWidth + 1) faults.add(`cut off: ${nameOf(element)}`)
  }
  const checkField = (element: Element) => {
    if (element instanceof HTMLInputElement && excess(element, element.placeholder) > 1) {
      faults.add(`cut off: the placeholder “${element.placeholder}”`)
    }
    if (!(element instanceof HTMLSelectElement)) return
    const chosen = element.selectedOptions[0]?.text ?? ''
    if (excess(element, chosen) > 1) faults.add(`cut off: the choice “${chosen}”`)
  }
  /** A button without a border or a background looks like a link, whose height does not show. */
  const isClear = (color: string) => color === 'transparent' || color === 'rgba(0, 0, 0, 0)'
  const hasEdge = ({ borderTopWidth, borderTopColor, backgroundColor }: CSSStyleDeclaration) =>
    !isClear(backgroundColor) || (borderTopWidth !== '0px' && !isClear(borderTopColor))
  const checkRow = (element: Element, style: CSSStyleDeclaration) => {
    if (style.display !== 'flex' || style.flexDirection !== 'row') return
    const buttons = [...element.children].filter(
      (child) => child.matches('button, a[class*="button" i]') && hasEdge(getComputedStyle(child)),
    )
    const boxes = buttons.map((button) => button.getBoundingClientRect()).filter(({ height }) => height > 0)
    for (const [at, box] of boxes.entries()) {
      const next = boxes[at + 1]
      if (next && Math.abs(next.top - box.top) < 8 && Math.abs(next.height - box.height) > 2) {
        faults.add(`uneven: ${buttons.map(nameOf).join(', ')}`)
      }
    }
  }

  if (document.documentElement.scrollWidth > width + 1) faults.add('the page scrolls sideways')
  for (const element of document.querySelectorAll('body *:not([role="grid"] *)')) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const box = element.getBoundingClientRect()
    if (box.width < 4 || box.height < 4) continue
    const style = getComputedStyle(element)
    if (box.right > width + 1 && !isInScroller(element)) faults.add(`sticks out: ${nameOf(element)}`)
    checkText(element, style)
    checkField(element)
    checkRow(element, style)
  }
  return [...faults]
}
