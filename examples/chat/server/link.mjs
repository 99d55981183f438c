// The way from this server to the browser, and what can go wrong on it: none of it is known to the model.

const linkFaults = {
  /** The connection breaks. */
  drop: (response) => response.destroy(),
  /** Something between ends the response in good order. */
  'clean-end': (response) => response.end(),
  /** Nothing more comes, and the connection stays open. */
  stall: () => {},
}

const argumentFrames = /"type": ?"(?:input_json_delta|response\.function_call_arguments\.delta)"|"tool_calls": ?\[/g

/**
 * Opens the response. The fault comes after so many pieces of arguments; from then on the link takes everything and
 * sends nothing, as a broken one does.
 */
export function openLink(response, { fault, after }) {
  let frames = 0
  let broken = false
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
  })
  response.flushHeaders()
  return {
    /** Whether the browser is no longer there. */
    get gone() {
      return response.destroyed
    },
    send(piece) {
      if (broken || response.destroyed) return
      response.write(piece)
      if (!Object.hasOwn(linkFaults, fault)) return
      frames += Buffer.from(piece).toString().match(argumentFrames)?.length ?? 0
      if (frames < after) return
      broken = true
      linkFaults[fault](response)
    },
    end() {
      if (!broken) response.end()
    },
  }
}
