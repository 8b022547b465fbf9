import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

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
  // Of one frame, whose results need no second page to be put together; no page of ours holds another's.
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(STANDARDS)
    .setLegacyMode()
    .analyze()
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${help}. ${failureSummary ?? ''}`,
      ),
    )
  expect(serious, `Accessibility of ${page.url()}`).toEqual([])
}
