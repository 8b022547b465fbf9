import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageRenderer, RenderedPage } from '#contract/pages/public-pages.ts'

/** The built web app, as `scripts/build-web.ts` leaves it. */
export type PageBundle = PageRenderer & {
  /** The page with nothing in it, for the app to fill. */
  readonly shell: string
  /** The whole document of a rendered page. */
  fill(page: RenderedPage): string
  /** Of everything but the data that a page is made from. */
  readonly hash: string
}

/** Undefined where nothing is built, such as in tests of the API. */
export async function openPageBundle(webDir: string, productName: string): Promise<PageBundle | undefined> {
  const [program, page, files] = ['.server/render.js', 'index.html', '.vite/manifest.json'].map((name) =>
    join(webDir, name),
  ) as [string, string, string]
  if (!existsSync(program)) return undefined
  const renderer = (await import(pathToFileURL(program).href)) as PageRenderer
  const manifest = JSON.parse(await readFile(files, 'utf8')) as Manifest
  const empty = withProductName(await readFile(page, 'utf8'), productName)
  const template = withLowPriority(empty)
  const hash = createHash('sha256')
    .update(template)
    .update(await readFile(program))
  return {
    findPage: renderer.findPage,
    load: renderer.load,
    shell: empty.replace('</head>', () => `${linksOf(APP_MODULES, manifest, empty)}</head>`),
    fill: (rendered) => fill(template, manifest, rendered),
    hash: hash.digest('base64url').slice(0, 16),
  }
}

// Otherwise scripts take the line from the styles and pictures of a page that is already complete.
const withLowPriority = (html: string) =>
  html.replaceAll(/(<script type="module"|<link rel="modulepreload")/g, '$1 fetchpriority="low"')

// What every page of the app begins with.
const APP_MODULES = ['app-routes.ts', 'app-area.tsx', 'site/reads.ts']

// What the shell has until a page brings its own.
const PAGE_HEAD = /<!--page-->.*<!--\/page-->/s
const ROOT = /<div id="root">.*?<\/div>/s

function fill(template: string, manifest: Manifest, { head, body, data, modules }: RenderedPage): string {
  // Functions, since a text with $ would be a pattern.
  return template
    .replace(PAGE_HEAD, () => head + withLowPriority(linksOf(modules, manifest, template)))
    .replace(
      ROOT,
      () => `<div id="root">${body}</div><script type="application/json" id="data">${data}</script>`,
    )
}

type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>

/** Links to the styles and scripts of these modules that the template has none to. */
function linksOf(modules: readonly string[], manifest: Manifest, template: string): string {
  const links = new Map<string, string>()
  const walk = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || links.has(chunk.file)) return
    for (const style of chunk.css ?? []) {
      links.set(style, `<link rel="stylesheet" crossorigin href="/${style}">`)
    }
    links.set(chunk.file, `<link rel="modulepreload" crossorigin href="/${chunk.file}">`)
    chunk.imports?.forEach(walk)
  }
  modules.forEach(walk)
  return [...links].flatMap(([file, link]) => (template.includes(`/${file}"`) ? [] : [link])).join('')
}

/** Puts the product's name into the page, so that tabs and search engines see it without scripts. */
function withProductName(page: string, name: string): string {
  const safe = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${safe}</title>`)
    .replace(/(<meta name="application-name" content=")[^"]*/, (_all, start: string) => start + safe)
}
