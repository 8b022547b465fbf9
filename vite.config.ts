import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

const at = (path: string) => join(import.meta.dirname, path)

/** Removes summaries, which only the API document shows: 3 kB of a first visit, compressed. */
const withoutSummaries: Plugin = {
  name: 'without-summaries',
  enforce: 'pre',
  transform: {
    filter: { id: /\/contract\/[\w-]+\.ts$/, code: 'endpoints({' },
    handler: (code) => ({ code: code.replaceAll(/^ {4}summary:\s+'[^'\n]*',$/gm, ''), map: null }),
  },
}

/** Leaves the app area's screens out of the server's bundle, which only needs to know their paths. */
const withoutAppScreens: Plugin = {
  name: 'without-app-screens',
  enforce: 'pre',
  apply: (_config, { isSsrBuild }) => isSsrBuild === true,
  transform: {
    filter: { id: /\/web\/app-routes\.ts$/ },
    handler: (code) => ({
      code: code.replaceAll(/\(\) =>\s*import\(\s*'[^']*'\s*\)/g, 'undefined'),
      map: null,
    }),
  },
}

/** Three characters for a file, the same for browsers and server: in pages with a hundred classes each character counts. */
const briefly = (file: string): string =>
  createHash('sha256')
    .update(relative(at('web'), file))
    .digest('base64url')
    .slice(0, 3)

/** Where the router's own files are, as patterns; those of the server's bundle stay whole. */
const ROUTER = String.raw`[\\/]react-router[\\/]dist[\\/]production[\\/]lib[\\/]`

/**
 * What no page of ours uses of the router, file by file: 6 kB of every first visit, compressed. A release of the router
 * without one of these texts does not build.
 */
const unusedOfRouter: { file: string; text: string | RegExp; instead: string }[] = [
  // Prefetching is for apps with a server that is the framework's.
  {
    file: 'dom/lib.js',
    text: 'import { FrameworkContext, PrefetchPageLinks, mergeRefs, usePrefetchBehavior } from "./ssr/components.js";',
    instead: `
      import { FrameworkContext } from "./ssr/components.js";
      const PrefetchPageLinks = () => null;
      const usePrefetchBehavior = () => [false, null, {}];
      const mergeRefs = (ref) => ref;
    `,
  },
  // Warnings are for developers, who have the development build.
  ...[
    ['router/history.js', 'function warning('],
    ['hooks.js', 'function warningOnce('],
    ['server-runtime/warnings.js', 'function warnOnce('],
  ].map(([file = '', text = '']) => ({ file, text, instead: `/* @__NO_SIDE_EFFECTS__ */ ${text}` })),
  // Sentences for developers, of conditions that only a mistake in code breaks; the error's stack says where.
  ...['router/router.js', 'router/utils.js', 'hooks.js', 'components.js', 'dom/lib.js'].map((file) => ({
    file,
    text: /\binvariant\(([^;\n]+), (["`])(?:(?!\2).)*\2\);$/gm,
    instead: 'invariant($1);',
  })),
  // Hooks for observers.
  {
    file: 'router/instrumentation.js',
    text: /^.*$/s,
    instead: `
      const none = () => undefined
      const unused = () => { throw new Error('left out in vite.config.ts') }
      export { none as consumeInstrumentationClientResultMetaReceiver }
      export { unused as getRouteInstrumentationUpdates, unused as instrumentClientSideRouter }
      export { unused as instrumentHandler, none as instrumentationResultMetaContext }
    `,
  },
]

const smallRouter = unusedOfRouter.map(
  ({ file, text, instead }): Plugin => ({
    name: `small-router:${file}`,
    apply: (_config, { isSsrBuild }) => isSsrBuild !== true,
    transform: {
      filter: { id: new RegExp(`${ROUTER}${file.replaceAll('/', String.raw`[\\/]`)}$`) },
      handler(code) {
        const changed = code.replace(text, instead)
        if (changed === code) throw new Error(`The router's ${file} has changed: see vite.config.ts`)
        return { code: changed, map: null }
      },
    },
  }),
)

/** Whether a file of the contract creates schemas. */
const hasSchemas = (id: string) =>
  /[\\/]contract[\\/]/.test(id) && readFileSync(id, 'utf8').includes("from 'zod'")

// Of a package of 6,000 icons only those that we show are read, which makes a build a fifth shorter.
const experimental = { lazyBarrel: true }

/** `vite build` builds what browsers load, `vite build --ssr` what the server renders public pages with. */
export default defineConfig(({ isSsrBuild, mode }) => ({
  root: at('web'),
  css: { modules: { generateScopedName: (name, file) => `${name}_${briefly(file)}` } },
  plugins: [withoutSummaries, withoutAppScreens, ...smallRouter, react()],
  // Left alone, the server's bundle has React's development build as well.
  define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
  // Everything in one bundle: React's files are not loaded one by one at the start.
  ssr: { noExternal: true },
  build: isSsrBuild
    ? {
        ssr: at('web/render.tsx'),
        outDir: at('dist/web/.server'),
        emptyOutDir: true,
        target: 'node24',
        copyPublicDir: false,
        // As for browsers: drawings are files that pages refer to.
        assetsInlineLimit: 0,
        rolldownOptions: { experimental },
      }
    : {
        outDir: at('dist/web'),
        emptyOutDir: true,
        // For the server, which links each page's files.
        manifest: true,
        // Browsers that do not know it load each file a moment later, and it would be in every page.
        modulePreload: { polyfill: false },
        // The content security policy allows no data: address for fonts, and hashed files are cached for good.
        assetsInlineLimit: 0,
        // What React 19 and our CSS (light-dark custom properties, :has) can run on.
        target: ['chrome111', 'firefox114', 'safari16.4'],
        rolldownOptions: {
          experimental,
          output: { codeSplitting: { groups } },
          // Imported for what it exports only: what the server alone uses of it is no file of the page.
          treeshake: {
            moduleSideEffects: [{ test: /[\\/]web[\\/]screens[\\/].*\.ts$/, sideEffects: false }],
          },
        },
      },
  // In development, `npm start` serves the API; modules of web/api have URLs with the same prefix.
  server: { proxy: { '^/api/(?!.*\\.ts(\\?|$))': 'http://127.0.0.1:3000' } },
}))

/** A group's name for what no public page loads, not even later. */
const onDesks = (name: string) => (id: string, context: Rolldown.ChunkingContext) =>
  isOfPublicPages(id, context) ? null : name

const ofPublicPages = new Set<string>()

function isOfPublicPages(id: string, context: Rolldown.ChunkingContext): boolean {
  if (ofPublicPages.size === 0) {
    const found = [at('web/main.tsx')]
    for (const each of found) {
      if (ofPublicPages.has(each) || /[\\/]app-(area\.tsx|routes\.ts)$/.test(each)) continue
      ofPublicPages.add(each)
      const { importedIds = [], dynamicallyImportedIds = [] } = context.getModuleInfo(each) ?? {}
      found.push(...importedIds, ...dynamicallyImportedIds)
    }
  }
  return ofPublicPages.has(id)
}

// With what they import, public pages' files would come along.
const shared = { minShareCount: 3, includeDependenciesRecursively: false }

const groups = [
  // One chunk, so that strict-policy.ts runs before the schemas: in several chunks, schemas would be created first, and every
  // browser would report a policy violation. Public pages load none of it.
  {
    name: 'contract',
    test: (id: string) => /[\\/]node_modules[\\/]zod[\\/]|strict-policy/.test(id) || hasSchemas(id),
  },
  // Changes only with an upgrade, so our releases leave it cached.
  { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/, priority: 1 },
  // What public pages share; in a dozen small files it would be a quarter larger. The home page's own stays with it.
  {
    name: 'site',
    test: /[\\/]web[\\/](screens[\\/]parts[\\/](related-links|landing\.module)|site[\\/](?!plans|form[\\/]find|garage|seller[\\/](?!how-far)|search-box\.tsx|reads)|(paths|load-screen)\.ts|api[\\/](session|browser-storage))|(landing-addresses|name-slugs)\.ts|[\\/]Icon(AdjustmentsHorizontal|Check|CircleCheck|Clock|Copy|MapPin|Phone)\.mjs/,
  },
  // What the pages of parts and yards share. Without a place of its own it would come with the schemas.
  { name: 'yard', test: /[\\/](yard-words\.ts|seller-facts\.tsx|phone-parts\.ts)/, priority: 1 },
  { name: 'reasons', test: /[\\/]report-reasons\.ts/, priority: 1 },
  // What buyers' pages need of orders, for the same reason.
  { name: 'buying', test: /[\\/]contract[\\/](order[\\/]order-steps|text[\\/]us-states)\.ts/, priority: 1 },
  // What every visitor gets of it.
  { name: 'buttons', test: /[\\/]garage[\\/](part-buttons|garage\.ts)/ },
  // What the frame loads for buyers and their garage shows too; the rest, the garage's page does not link.
  {
    name: 'garage',
    test: /[\\/]web[\\/](site|api)[\\/]garage[\\/](?!buyer-tools|card-fit|compare|fits-vehicles)/,
  },
  // What three or more screens of desks share, their libraries apart from our own code, which changes with each release. A
  // desk would ask for a hundred files otherwise, half of them below a kilobyte.
  { name: onDesks('libraries'), test: /[\\/]node_modules[\\/]/, priority: -1, ...shared },
  { name: onDesks('desk'), test: /[\\/]web[\\/]/, priority: -2, ...shared },
]
