import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = join(import.meta.dirname, 'web')

/** Removes summaries, which only the API document shows: 3 kB of a first visit, compressed. */
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
            // One chunk, so that strict-policy.ts runs before the schemas: in several chunks, schemas would be created
            // first, and every browser would report a policy violation. The readers of yards' files stay out: they
            // have no schemas, and only sellers who import need them.
            {
              name: 'contract',
              test: /[\\/](node_modules[\\/]zod|contract(?![\\/]yard-file[\\/](?!reading\.)))[\\/]|strict-policy/,
            },
            // Changes only with an upgrade, so our releases leave it cached.
            {
              name: 'react',
              test: /[\\/]node_modules[\\/](react|react-dom|react-router|scheduler|@tanstack)[\\/]/,
            },
          ],
        },
      },
    },
  },
  // In development, `npm start` serves the API; modules of web/api have URLs with the same prefix.
  server: { proxy: { '^/api/(?!.*\\.ts(\\?|$))': 'http://127.0.0.1:3000' } },
})
