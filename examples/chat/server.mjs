// The server of the example: the page by Vite, straight from the sources, and beside it the API of the chat.
import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createServer as createVite } from 'vite'
import { answer } from './server/answer.mjs'
import { loadKit } from './server/kit.mjs'
import { providers } from './server/providers.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

// Neither the page nor the kit needs more than this: no inline script, no inline style, no eval.
const policy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Starts the example on 127.0.0.1. */
export async function startExample({ port, pace, cache }) {
  const server = createHttpServer()
  const vite = await createVite({
    root: here('./page'),
    configFile: false,
    envDir: false,
    publicDir: false,
    cacheDir: here(`../../node_modules/.vite/${cache}`),
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, fs: { allow: [here('../..')] } },
    // Named, because finding them while the page loads would load it twice.
    optimizeDeps: {
      noDiscovery: true,
      include: [
        'react',
        'react/jsx-runtime',
        'react/jsx-dev-runtime',
        'react-dom/client',
        'zustand',
        'zustand/vanilla',
        'partial-json',
        'eventsource-parser',
        '@cfworker/json-schema',
      ],
    },
  })
  const kit = await loadKit(vite)
  const outcomes = new Map()

  server.on('request', (request, response) => {
    response.setHeader('content-security-policy', policy)
    response.setHeader('x-content-type-options', 'nosniff')
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /':
        // As it is: what Vite would add to it is for hot reloading.
        readFile(here('./page/index.html')).then((html) => {
          response.setHeader('content-type', 'text/html; charset=utf-8')
          response.end(html)
        })
        break
      case 'POST /api/chat':
        answer(request, response, { kit, pace, outcomes }).catch((error) => {
          console.error(error)
          response.destroy()
        })
        break
      case 'GET /api/providers':
        sendJson(response, providers())
        break
      case 'GET /api/outcomes':
        sendJson(
          response,
          url.searchParams.getAll('call').flatMap((id) => outcomes.get(id) ?? []),
        )
        break
      default:
        vite.middlewares(request, response)
    }
  })

  try {
    await listen(server, port)
  } catch (error) {
    await vite.close()
    throw error
  }
  return { address: `http://127.0.0.1:${server.address().port}/` }
}

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}

function sendJson(response, value) {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}
