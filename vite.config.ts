import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { entries } from './scripts/entries.mjs'

// The tests have a config of their own, so that a build never loads Storybook.
export default defineConfig({
  plugins: [react()],
  publicDir: false,
  build: {
    target: 'es2022',
    minify: false,
    sourcemap: true,
    lib: { formats: ['es'], entry: entries },
    rolldownOptions: {
      external: [
        /^react($|\/)/,
        /^react-dom($|\/)/,
        /^zustand($|\/)/,
        /^@assistant-ui\//,
        /^@cfworker\/json-schema($|\/)/,
        /^@noble\/hashes\//,
        /^@copilotkit\/react-core($|\/)/,
        /^@langchain\/react($|\/)/,
        /^rxjs($|\/)/,
        'partial-json',
        'eventsource-parser',
        /^node:/,
      ],
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
})
