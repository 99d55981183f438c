// The server of the examples: a page to choose from, the chat with the raw wires, the gate at work, and a page for each
// host kit. What is never visited is never prepared.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createChatSite } from './chat/site.mjs'
import { createGateSite } from './gate/site.mjs'
import { hosts } from './hosts/hosts.mjs'
import { createHostSite } from './hosts/site.mjs'

/** Starts the examples on 127.0.0.1. */
export async function startExamples({ port, pace }) {
  const sites = new Map([
    ['chat', once(() => createChatSite({ pace }))],
    ['gate', once(() => createGateSite({ pace }))],
    ...hosts.map((host) => [host.name, once(() => createHostSite({ host, pace }))]),
  ])

  const server = createServer(async (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    try {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1')
      const [first = '', second = ''] = url.pathname.split('/').slice(1)
      if (first === '') return sendChooser(response)
      const site = sites.get(first === 'api' ? second : first)
      if (site === undefined) return response.writeHead(404).end()
      await (await site())(request, response, url)
    } catch (error) {
      console.error(error)
      response.destroy()
    }
  })
  await listen(server, port)
  return { address: `http://127.0.0.1:${server.address().port}/` }
}

async function sendChooser(response) {
  const links = hosts.map(({ name, title }) => `<li><a href="/${name}/">${title}</a></li>`)
  const page = await readFile(new URL('./chooser.html', import.meta.url), 'utf8')
  response.setHeader('content-security-policy', "default-src 'none'")
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(page.replace('<!-- hosts -->', links.join('\n        ')))
}

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}

function once(make) {
  let made
  return () => {
    made ??= make()
    return made
  }
}
