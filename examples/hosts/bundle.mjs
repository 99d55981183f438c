// Bundles the page of a host, straight from the sources: a kit is hundreds of files, and a page should load at once.
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/**
 * The files of the page by name: `main.js`, `main.css`, and whatever else the kit is split into.
 * @param main where it begins; default: what a host's folder has
 */
export async function bundlePage(name, main = here(`${name}/main.tsx`)) {
  const { output } = await build({
    root: here('.'),
    base: `/${name}/`,
    mode: 'development',
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'error',
    // React's own checks, and what StrictMode does twice, are in its development build.
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: {
      alias: [
        { find: /^honest-tool-calls$/, replacement: here('../../src/index.ts') },
        { find: /^honest-tool-calls\//, replacement: here('../../src/') },
      ],
      dedupe: ['react', 'react-dom'],
    },
    build: {
      write: false,
      minify: false,
      cssCodeSplit: false,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: main,
        output: { entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js', assetFileNames: 'main[extname]' },
      },
    },
  })
  return new Map(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]))
}
