import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = join(import.meta.dirname, 'web')

/** Leaves out what only the API's own document shows: 3 kB of a first visit, compressed. */
const withoutSummaries: Plugin = {
  name: 'without-summaries',
  enforce: 'pre',
  transform: {
    filter: { id: /\/contract\/[\w-]+\.ts$/, code: 'endpoints({' },
    handler: (code) => ({ code: code.replaceAll(/^ {4}summary:\s+'[^'\n]*',$/gm, ''), map: null }),
  },
}

export default defineConfig({
  root,
  plugins: [withoutSummaries, react()],
  build: {
    outDir: join(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    // The content security policy allows no data: address for fonts, and hashed files are cached for good.
    assetsInlineLimit: 0,
    // What React 19 and our CSS (light-dark custom properties, :has) can run on.
    target: ['chrome111', 'firefox114', 'safari16.4'],
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file, in which strict-policy.ts stands before the schemas that it is about: spread over several
            // files, schemas would be made first, and each visitor's browser would report a breach of the policy.
            // Without what reads a yard's files, which has no schemas and is for sellers who import.
            {
              name: 'contract',
              test: /[\\/](node_modules[\\/]zod|contract(?![\\/]yard-file[\\/](?!reading\.)))[\\/]|strict-policy/,
            },
            // Changes with an upgrade only, so that a release of ours leaves it in the cache.
            {
              name: 'react',
              test: /[\\/]node_modules[\\/](react|react-dom|react-router|scheduler|@tanstack)[\\/]/,
            },
          ],
        },
      },
    },
  },
  // While developing, the API of `npm start` answers; the modules of web/api have addresses that begin the same way.
  server: { proxy: { '^/api/(?!.*\\.ts(\\?|$))': 'http://127.0.0.1:3000' } },
})
