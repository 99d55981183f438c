// The page of one host kit, and the API that answers it.
import { readFile } from 'node:fs/promises'
import { bundlePage } from './bundle.mjs'
import { answer } from './server/answer.mjs'

const policy = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** What answers the requests for the page of a host. */
export async function createHostSite({ host: { name, title, wire, inlineStyles }, pace }) {
  const bundle = await bundlePage(name)

  return async (request, response, url) => {
    const [, first, ...rest] = url.pathname.split('/')
    if (first === 'api') {
      const [, settings = '', ...path] = rest
      return answer(request, response, { wire, settings: new URLSearchParams(settings), path: path.join('/'), pace })
    }
    if (bundle.send(rest.join('/'), response)) return
    if (url.pathname !== `/${name}/`) return response.writeHead(404).end()
    const page = await readFile(new URL('./shell/index.html', import.meta.url), 'utf8')
    const styles = inlineStyles ? "; style-src 'self' 'unsafe-inline'; font-src 'self' data:" : ''
    response.setHeader('content-security-policy', policy + styles)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(bundle.html(page).replaceAll('{name}', name).replaceAll('{title}', title))
  }
}
