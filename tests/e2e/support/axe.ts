import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

declare global {
  interface Window {
    axe: typeof axe
  }
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Never more than moderate, which is no failure here. */
const NEVER_SERIOUS = [
  'aria-allowed-role',
  'aria-deprecated-role',
  'empty-heading',
  'empty-table-header',
  'form-field-multiple-labels',
  'heading-order',
  'image-redundant-alt',
  'landmark-banner-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'page-has-heading-one',
  'presentation-role-conflict',
  'region',
  'skip-link',
]

/** Experimental in axe, so named: what is seen is said, for people who speak to click (WCAG 2.5.3). */
const ALSO = ['label-content-name-mismatch']

/** The rules that depend on colors and widths; the others find the same in every look. */
const BY_LOOK = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block']

const LONGEST_FADE_MS = 3_000

/** Fails with the rule, place and fix of every accessibility fault that axe calls serious or critical. */
export async function expectNoSeriousAxe(page: Page, rules: 'all' | 'by look' = 'all'): Promise<void> {
  // A fault seen in the middle of a fade (half-transparent text) is gone a moment later.
  await page.evaluate((longestMs) => {
    const fades = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
    // A canceled one (its element is gone) is over as well; one that is paused never is.
    const over = Promise.allSettled(fades.map((animation) => animation.finished))
    return Promise.race([over, new Promise((resolve) => setTimeout(resolve, longestMs))])
  }, LONGEST_FADE_MS)
  // Half a megabyte of script: a page that has it keeps it for its next check. None of our pages embeds another’s frame.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    ...(rules === 'by look'
      ? { runOnly: { type: 'rule', values: BY_LOOK } }
      : {
          runOnly: { type: 'tag', values: STANDARDS },
          rules: Object.fromEntries([
            ...NEVER_SERIOUS.map((id) => [id, { enabled: false }]),
            ...ALSO.map((id) => [id, { enabled: true }]),
          ]),
        }),
  }
  let serious = await findSerious(page, options)
  // A list is dimmed while its next page loads; a fault counts if it is still there a moment later.
  for (let look = 0; serious.length > 0 && look < 3; look++) {
    await page.waitForTimeout(500)
    serious = await findSerious(page, options)
  }
  expect(serious, `Accessibility of ${page.url()}`).toEqual([])
}

async function findSerious(page: Page, options: axe.RunOptions): Promise<string[]> {
  const violations = await page.evaluate(async (asked) => {
    // Nobody reaches what lies behind an open dialog, and it was looked at before.
    const open = document.querySelector('[role=dialog][aria-modal=true]') ?? document
    // The source of every node it looks at is a tenth of its time; a fault is named by its selector.
    window.axe.configure({ noHtml: true })
    const { violations } = await window.axe.run(open, asked)
    return violations
  }, options)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${help}. ${failureSummary ?? ''}`,
      ),
    )
}
