import type { Page } from '@playwright/test'
import { expectNoSeriousAxe } from './axe.ts'

const DIR = 'test-results/screens'

const WIDE = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

/** Every way a screen is looked at before it ships: PNGs named `<screen>-<look>.png` for people to look at. */
const LOOKS = [
  { look: 'light', colorScheme: 'light', viewport: WIDE },
  { look: 'phone-dark', colorScheme: 'dark', viewport: PHONE },
  { look: 'dark', colorScheme: 'dark', viewport: WIDE },
  { look: 'phone-light', colorScheme: 'light', viewport: PHONE },
] as const

// Both schemes and both widths are in the first two; the others, and pictures of all, take as long again. With
// SCREENS=all (`SCREENS=all npm test -- e2e`) they are made for whoever changed a screen.
const isForPeople = process.env.SCREENS === 'all'

/**
 * Looks at the page that is open as people do who see it in another way: axe in light and wide, in dark and narrow what
 * colors and widths decide, and, where pictures were asked for, one of the whole page in each look. Leaves the page in
 * the first look.
 */
export async function lookAt(page: Page, screen: string): Promise<void> {
  for (const { look, colorScheme, viewport } of isForPeople ? LOOKS : LOOKS.slice(0, 2)) {
    await show(page, { colorScheme, viewport })
    await expectNoSeriousAxe(page, look === 'light' ? 'all' : 'by look')
    if (!isForPeople) continue
    await page.screenshot({ path: `${DIR}/${screen}-${look}.png`, fullPage: true, animations: 'disabled' })
  }
  await show(page, LOOKS[0])
}

async function show(
  page: Page,
  { colorScheme, viewport }: Omit<(typeof LOOKS)[number], 'look'>,
): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(viewport)
}
