// Run by index.mjs in a process of its own, with `--expose-gc` and `floor` or `kit`. Prints the peak of the heap in bytes.
import { fragmentsOf, ticket } from './documents.mjs'
import { announce, newStore } from './ingest.mjs'

const fragments = fragmentsOf(ticket(1_000_000))
let peak = 0
const sample = () => {
  peak = Math.max(peak, process.memoryUsage().heapUsed)
}

/** In pieces, as nothing else can look at the heap between two fragments. */
function inPieces(take) {
  for (let start = 0; start < fragments.length; start += 500) {
    take(start, Math.min(fragments.length, start + 500))
    sample()
  }
}

function runFloor() {
  let text = ''
  inPieces((start, end) => {
    for (let at = start; at < end; at++) text += fragments[at]
  })
  JSON.parse(text)
  sample()
}

function runKit() {
  const call = announce(newStore())
  inPieces((start, end) => {
    call.ingest(fragments.slice(start, end))
  })
  call.end()
  sample()
}

globalThis.gc()
const before = process.memoryUsage().heapUsed
if (process.argv[2] === 'floor') runFloor()
else runKit()
console.log(peak - before)
