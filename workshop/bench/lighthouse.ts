import { execFile } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import { findBrowser } from '#tests/support/browser.ts'
import { figure, markdownTable, report, type Target } from './report.ts'

/*
 * What Google's Lighthouse, as a slow phone, says of the public pages of a running installation. It comes from the registry when
 * it is asked for: 200 packages that nothing else needs.
 */

const LIGHTHOUSE = 'lighthouse@13.5.0'
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const LEAST_SCORE = 95
const MOST_OUTPUT_BYTES = 100 * 1024 * 1024

type Page = { name: string; path: string }
type Report = {
  categories: Record<(typeof CATEGORIES)[number], { score: number | null }>
  audits: {
    'network-requests': { details: { items: { resourceType?: string; transferSize?: number }[] } }
  }
}

const execute = promisify(execFile)

/** Prints a table of scores; returns whether all targets were met. */
export async function benchLighthouse(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: { at: { type: 'string', default: 'http://127.0.0.1:3000' } },
  })
  const pages = await pagesOf(values.at)
  const rows: string[][] = []
  const targets: Target[] = []
  // One after the other: two browsers at once would measure each other.
  for (const { name, path } of pages) {
    const { categories, audits } = await visit(new URL(path, values.at).href)
    const scores = CATEGORIES.map((category) => Math.round((categories[category].score ?? 0) * 100))
    const scripts = audits['network-requests'].details.items.filter(
      ({ resourceType }) => resourceType === 'Script',
    )
    const scriptKb = scripts.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0) / 1_000
    const least = Math.min(...scores)
    rows.push([name, ...scores.map(figure), scriptKb.toFixed(1)])
    const isMet = least >= LEAST_SCORE
    targets.push({ name, found: figure(least), wanted: `≥ ${LEAST_SCORE}`, isMet })
  }
  return report([markdownTable(['page', ...CATEGORIES, 'script, kB with headers'], rows)], targets)
}

async function pagesOf(at: string): Promise<Page[]> {
  const reply = await fetch(new URL('/api/parts?q=alternator', at))
  const { items } = (await reply.json()) as { items: { partslug: string; sellerSlug: string }[] }
  const [part] = items
  if (!part) throw new Error(`${at} has no alternator: start it with the demo's parts`)
  return [
    { name: 'the home page', path: '/' },
    { name: 'a search', path: '/parts?q=alternator' },
    { name: 'a part', path: `/parts/${part.partslug}` },
    { name: 'a seller', path: `/sellers/${part.sellerSlug}` },
  ]
}

// Tests run code as it comes; people's browsers optimize it.
const isOfPeople = (flag: string) => !flag.startsWith('--js-flags')

async function visit(url: string): Promise<Report> {
  const { executablePath, args } = await findBrowser()
  const { stdout } = await execute(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      url,
      '--quiet',
      '--output=json',
      `--only-categories=${CATEGORIES.join(',')}`,
      // Pages of searches are not for search engines, on purpose.
      '--skip-audits=is-crawlable',
      `--chrome-flags=--headless=new ${args.filter(isOfPeople).join(' ')}`,
    ],
    { env: { ...process.env, CHROME_PATH: executablePath }, maxBuffer: MOST_OUTPUT_BYTES },
  )
  return JSON.parse(stdout) as Report
}
