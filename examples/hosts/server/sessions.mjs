// What the server knows of a page: a session for each page that was opened, a chat or two in it.

const sessions = new Map()

/** How many replies a chat has had, what belongs to the last one, and what its wire keeps. */
const emptyChat = () => ({ replies: 0, messages: 0, steps: [], last: undefined, kept: {} })

export function sessionOf(id) {
  const known = sessions.get(id)
  if (known !== undefined) return known
  const chats = new Map()
  let words = 0
  const waiting = []
  const made = {
    /** A word from the page's side that a reply that pauses may go on; one for each pause. */
    go() {
      const next = waiting.shift()
      if (next === undefined) words++
      else next()
    },
    async mayGo() {
      if (words > 0) words--
      else await new Promise((resolve) => waiting.push(resolve))
    },
    /** The tools this server ran for it, in order. */
    runs: [],
    /** The same, once nothing of it happens here any more. */
    async finalRuns() {
      await Promise.all([...chats.values()].map((chat) => chat.last?.finished))
      return made.runs
    },
    chat(name) {
      const chat = chats.get(name) ?? emptyChat()
      chats.set(name, chat)
      return chat
    },
  }
  sessions.set(id, made)
  return made
}
