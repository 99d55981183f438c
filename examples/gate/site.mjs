// The gate at work: its page, and the API beside it.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundlePage } from '../hosts/bundle.mjs'
import { createAnswer } from './server/answer.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

const policy =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What answers the requests for this page. */
export async function createGateSite({ pace }) {
  const bundle = await bundlePage('gate', here('./page/main.tsx'))
  const answer = createAnswer(pace)

  return async (request, response, url) => {
    response.setHeader('content-security-policy', policy)
    const [, first, ...rest] = url.pathname.split('/')
    if (first === 'api') return answer(request, response, rest.slice(1))
    if (bundle.send(rest.join('/'), response)) return
    if (url.pathname !== '/gate/') return response.writeHead(404).end()
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(bundle.html(await readFile(here('./page/index.html'), 'utf8')))
  }
}
