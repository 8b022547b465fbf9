import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const root = join(import.meta.dirname, 'web')

export default defineConfig({
  root,
  plugins: [react()],
  build: {
    outDir: join(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    // The content security policy allows no data: address for fonts, and hashed files are cached for good.
    assetsInlineLimit: 0,
    // What React 19 and our CSS (light-dark custom properties, :has) can run on.
    target: ['chrome111', 'firefox114', 'safari16.4'],
  },
  // While developing, the API of `npm start` answers.
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
