import type { Page } from '@playwright/test'
import { expectNoSeriousAxe } from './axe.ts'
import { expectSoundLayout } from './layout.ts'

const DIR = 'test-results/screens'

const WIDE = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

/** Every look a screen is checked in before it ships: PNGs named `<screen>-<look>.png` for people to review. */
const LOOKS = [
  { look: 'light', colorScheme: 'light', viewport: WIDE },
  { look: 'phone-dark', colorScheme: 'dark', viewport: PHONE },
  { look: 'dark', colorScheme: 'dark', viewport: WIDE },
  { look: 'phone-light', colorScheme: 'light', viewport: PHONE },
] as const

// The first two cover both schemes and both widths; the others, and screenshots of all, take as long again. They run
// with SCREENS=all (`SCREENS=all npm test -- e2e`) for anyone who changed a screen.
const isForPeople = process.env.SCREENS === 'all'

/**
 * Checks the open page: its layout in each look; all of axe in light and wide, then only the color and width rules in dark
 * and narrow, which a state of a screen that was looked at already, or another of the same layout, does without. If screenshots were
 * requested, it takes one of the whole page in each look. Leaves the page in the first look, unless it may stay in
 * another; a page that did is seen in that one first, because a change of look takes as long as its check.
 */
export async function lookAt(
  page: Page,
  screen: string,
  looks: 'both' | 'light' = 'both',
  after: 'first look' | 'stay' = 'first look',
): Promise<void> {
  const most = looks === 'both' ? 2 : 1
  const order = isForPeople ? [...LOOKS] : LOOKS.slice(0, most)
  if (page.viewportSize()?.width === PHONE.width) order.reverse()
  for (const { look, colorScheme, viewport } of order) {
    await show(page, { colorScheme, viewport })
    await expectSoundLayout(page)
    await expectNoSeriousAxe(page, look === 'light' ? 'all' : 'by look')
    if (!isForPeople) continue
    await page.screenshot({ path: `${DIR}/${screen}-${look}.png`, fullPage: true, animations: 'disabled' })
  }
  if (after === 'first look' && (isForPeople || most > 1)) await show(page, LOOKS[0])
}

async function show(
  page: Page,
  { colorScheme, viewport }: Omit<(typeof LOOKS)[number], 'look'>,
): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(viewport)
}
