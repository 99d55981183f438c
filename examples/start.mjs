// `npm start`. PORT: where to listen (default 4173, 0 takes any free port). PACE: milliseconds between two pieces of a
// scripted reply (default 25). For real providers see chat/server/providers.mjs.
import { startExamples } from './server.mjs'

const port = Number(process.env.PORT ?? 4173)
const pace = Number(process.env.PACE ?? 25)

try {
  const { address } = await startExamples({ port, pace })
  console.log(`honest-tool-calls: the examples are at ${address}`)
} catch (error) {
  if (error.code !== 'EADDRINUSE') throw error
  console.error(`honest-tool-calls: port ${port} is taken; set PORT to another one, or to 0 for any that is free.`)
  process.exit(1)
}
