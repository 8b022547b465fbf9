import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

declare global {
  interface Window {
    axe: typeof axe
  }
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Fails with rule, place and remedy of every accessibility fault that axe calls serious or critical. */
export async function expectNoSeriousAxe(page: Page): Promise<void> {
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
  const violations = await page.evaluate(async (tags) => {
    const { violations } = await window.axe.run({ runOnly: tags, resultTypes: ['violations'] })
    return violations
  }, STANDARDS)
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${help}. ${failureSummary ?? ''}`,
      ),
    )
  expect(serious, `Accessibility of ${page.url()}`).toEqual([])
}
