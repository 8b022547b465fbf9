import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageRenderer, RenderedPage } from '#contract/pages/public-pages.ts'

/** The web app as `scripts/build-web.ts` builds it. */
export type PageBundle = PageRenderer & {
  /** An empty page for the app to fill. */
  readonly shell: string
  /** The whole document of a rendered page. */
  fill(page: RenderedPage): string
  /** Covers everything a page is rendered from, except its data. */
  readonly hash: string
}

/** Undefined if nothing is built, such as in tests of the API. */
export async function openPageBundle(webDir: string, productName: string): Promise<PageBundle | undefined> {
  const [program, page, files] = ['.server/render.js', 'index.html', '.vite/manifest.json'].map((name) =>
    join(webDir, name),
  ) as [string, string, string]
  if (!existsSync(program)) return undefined
  const renderer = (await import(pathToFileURL(program).href)) as PageRenderer
  const manifest = JSON.parse(await readFile(files, 'utf8')) as Manifest
  const empty = withProductName(await readFile(page, 'utf8'), productName)
  const app = linksOf(APP_MODULES, manifest, empty)
  const template = withScriptsLater(empty)
  const hash = createHash('sha256')
    .update(template)
    .update(await readFile(program))
  return {
    findPage: renderer.findPage,
    load: renderer.load,
    shell: empty.replace('</head>', () => `${app.styles}${app.scripts}</head>`),
    fill: openFill(template, manifest),
    hash: hash.digest('base64url').slice(0, 16),
  }
}

const MODULES = /<script type="module".*?<\/script>|<link rel="modulepreload".*?>/g
const SCRIPTS = '<template id="scripts">'

/** A rendered page is complete without scripts, so they wait in a template (web/public/first.js). */
const withScriptsLater = (html: string) => {
  const modules = html.match(MODULES) ?? []
  return html
    .replaceAll(MODULES, '')
    .replace('</head>', () => `${SCRIPTS}${modules.join('')}</template></head>`)
}

// The modules that every page of the app loads first.
const APP_MODULES = ['app-routes.ts', 'app-area.tsx', 'site/reads.ts']

// The shell's head, which a page replaces with its own.
const PAGE_HEAD = /<!--page-->.*<!--\/page-->/s
const ROOT = /<div id="root">.*?<\/div>/s

function openFill(template: string, manifest: Manifest): PageBundle['fill'] {
  const [first = '', rest = ''] = template.split(PAGE_HEAD)
  const [middle = '', last = ''] = rest.split(ROOT)
  return ({ head, body, data, modules }) => {
    const { styles, scripts } = linksOf(modules, manifest, template)
    const later = middle.replace(SCRIPTS, () => SCRIPTS + scripts)
    return `${first}${head}${styles}${later}<div id="root">${body}</div><script type="application/json" id="data">${data}</script>${last}`
  }
}

type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>

/** Links to the styles and scripts of these modules, except those that the template already links to. */
function linksOf(modules: readonly string[], manifest: Manifest, template: string) {
  const [styles, scripts] = [new Set<string>(), new Set<string>()]
  const walk = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || scripts.has(chunk.file)) return
    for (const style of chunk.css ?? []) styles.add(style)
    scripts.add(chunk.file)
    chunk.imports?.forEach(walk)
  }
  modules.forEach(walk)
  const linked = (files: Set<string>, rel: string) =>
    [...files].map((file) =>
      template.includes(`/${file}"`) ? '' : `<link rel="${rel}" crossorigin href="/${file}">`,
    )
  return { styles: linked(styles, 'stylesheet').join(''), scripts: linked(scripts, 'modulepreload').join('') }
}

/** Puts the product's name into the page, so that tabs and search engines see it without scripts. */
function withProductName(page: string, name: string): string {
  const safe = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${safe}</title>`)
    .replace(/(<meta name="application-name" content=")[^"]*/, (_all, start: string) => start + safe)
}
