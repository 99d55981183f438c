// The chat with the raw wires: its page, and beside it the API that streams the replies.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'
import { bundlePage } from '../hosts/bundle.mjs'
import { answer } from './server/answer.mjs'
import { providers } from './server/providers.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

// Neither the page nor the kit needs more than this: no inline script, no inline style, no eval.
const policy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What answers the requests for the chat. */
export async function createChatSite({ pace }) {
  const bundle = await bundlePage('chat', here('./page/main.tsx'))
  const { module: kit } = await runnerImport(here('./server/kit.ts'), { configFile: false, envDir: false })
  const outcomes = new Map()

  return async (request, response, url) => {
    response.setHeader('content-security-policy', policy)
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /chat/':
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(bundle.html(await readFile(here('./page/index.html'), 'utf8')))
        break
      case 'GET /chat/icon.svg':
        response.setHeader('content-type', 'image/svg+xml')
        response.end(await readFile(here('./page/icon.svg')))
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
        if (bundle.send(url.pathname.replace('/chat/', ''), response)) return
        response.writeHead(404).end()
    }
  }
}

function sendJson(response, value) {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}
