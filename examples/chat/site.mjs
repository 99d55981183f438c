// The chat with the raw wires: its page, and beside it the API that streams the replies.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createServer as createVite } from 'vite'
import { answer } from './server/answer.mjs'
import { loadKit } from './server/kit.mjs'
import { providers } from './server/providers.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

// Neither the page nor the kit needs more than this: no inline script, no inline style, no eval.
const policy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What answers the requests for the chat. */
export async function createChatSite({ pace, cache }) {
  const vite = await createVite({
    root: here('./page'),
    base: '/chat/',
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

  return async (request, response, url) => {
    response.setHeader('content-security-policy', policy)
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /chat/':
        // As it is: what Vite would add to it is for hot reloading.
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(await readFile(here('./page/index.html')))
        break
      case 'POST /api/chat':
        await answer(request, response, { kit, pace, outcomes })
        break
      case 'GET /api/chat/providers':
        sendJson(response, providers())
        break
      case 'GET /api/chat/outcomes':
        sendJson(
          response,
          url.searchParams.getAll('call').flatMap((id) => outcomes.get(id) ?? []),
        )
        break
      default:
        vite.middlewares(request, response)
    }
  }
}

function sendJson(response, value) {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}
