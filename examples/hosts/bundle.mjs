// Bundles the page of a host, straight from the sources: a kit is hundreds of files, and a page should load at once.
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const types = { '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' }

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/**
 * @param main where the page begins; default: what a host's folder has
 * @returns `html` names its files in the text of a page; `send` answers the request for one of them, or says false
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
      minify: true,
      cssCodeSplit: false,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: main,
        output: { entryFileNames: 'main-[hash].js', assetFileNames: 'main-[hash][extname]' },
      },
    },
  })
  const files = new Map(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]))
  const nameOf = (kind) => [...files.keys()].find((file) => file.startsWith('main-') && file.endsWith(kind))

  return {
    html: (page) => page.replace('{main.js}', nameOf('.js')).replace('{main.css}', nameOf('.css')),
    send(path, response) {
      const file = files.get(path)
      if (file === undefined) return false
      response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream')
      // What is in a file is in its name, and some kits are many megabytes.
      response.setHeader('cache-control', 'max-age=3600, immutable')
      response.end(file)
      return true
    },
  }
}
