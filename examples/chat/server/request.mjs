// Reads what the page asks for. Other pages must not: they could spend the money behind an API key.

const LONGEST = 64 * 1024

const choices = {
  wire: ['anthropic', 'openai-chat', 'openai-responses'],
  source: ['scripted', 'provider'],
  executor: ['page', 'server'],
  calls: [1, 2],
}

/** What was asked for, or the status and the words to refuse it with. */
export async function readRequest(request) {
  // A page from elsewhere cannot send this type without asking first, and a name that was pointed here is not ours.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) return refuse(403, 'not from here')
  if (request.headers['content-type'] !== 'application/json') return refuse(415, 'send application/json')
  let text = ''
  for await (const piece of request.setEncoding('utf8')) {
    text += piece
    if (text.length > LONGEST) return refuse(413, 'too long')
  }
  const asked = parse(text)
  for (const [name, values] of Object.entries(choices)) {
    if (!values.includes(asked[name])) return refuse(400, `${name} must be one of: ${values.join(', ')}`)
  }
  const { wire, source, executor, calls } = asked
  return { asked: { wire, source, executor, calls, fault: String(asked.fault), message: String(asked.message) } }
}

function refuse(status, why) {
  return { refused: { status, why } }
}

function parse(text) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
