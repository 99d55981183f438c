// `npm start`. PORT: where to listen (default 4173, 0 takes any free port). PACE: milliseconds between two pieces of a
// scripted reply (default 25). CACHE: the name under which Vite keeps what it prepared (default example); two that
// start at once need two. For real providers see chat/server/providers.mjs.
import { startExamples } from './server.mjs'

const port = Number(process.env.PORT ?? 4173)
const pace = Number(process.env.PACE ?? 25)
const cache = process.env.CACHE ?? 'example'

try {
  const { address } = await startExamples({ port, pace, cache })
  console.log(`honest-tool-calls: the examples are at ${address}`)
} catch (error) {
  if (error.code !== 'EADDRINUSE') throw error
  console.error(`honest-tool-calls: port ${port} is taken; set PORT to another one, or to 0 for any that is free.`)
  process.exit(1)
}
