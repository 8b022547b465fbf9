import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

declare global {
  interface Window {
    axe: typeof axe
  }
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules that colors and widths decide; the others find in another look what they found in the first. */
const BY_LOOK = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block']

/** Fails with rule, place and remedy of every accessibility fault that axe calls serious or critical. */
export async function expectNoSeriousAxe(page: Page, rules: 'all' | 'by look' = 'all'): Promise<void> {
  // A fault seen in the middle of a fade (half-transparent text) is none a moment later.
  await page.evaluate(() => {
    const fades = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
    // One that is cancelled (its element went away) is over as well.
    return Promise.allSettled(fades.map((animation) => animation.finished))
  })
  // Half a megabyte of script: a page that has it keeps it for its next look. No page of ours holds another's frame.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const runOnly: axe.RunOnly =
    rules === 'all' ? { type: 'tag', values: STANDARDS } : { type: 'rule', values: BY_LOOK }
  let serious = await findSerious(page, runOnly)
  // What a list shows while its next page is on the way is dimmed; a fault is what is still there a moment later.
  for (let look = 0; serious.length > 0 && look < 3; look++) {
    await page.waitForTimeout(500)
    serious = await findSerious(page, runOnly)
  }
  expect(serious, `Accessibility of ${page.url()}`).toEqual([])
}

async function findSerious(page: Page, runOnly: axe.RunOnly): Promise<string[]> {
  const violations = await page.evaluate(async (only) => {
    const { violations } = await window.axe.run({ runOnly: only, resultTypes: ['violations'] })
    return violations
  }, runOnly)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${help}. ${failureSummary ?? ''}`,
      ),
    )
}
