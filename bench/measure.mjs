import { Bench } from 'tinybench'

/** Milliseconds of this process's own work, its garbage collection included: what other processes do does not count. */
export function now() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Measures tasks beside each other: many short rounds in which each has its turn, so that whatever slows the machine
 * slows them all. A task may return `{ overriddenDuration }` where only a part of it counts.
 * @returns by task: the median milliseconds of its rounds
 */
export async function measure(tasks, { rounds = 21, iterations = 3 } = {}) {
  const names = Object.keys(tasks)
  const medians = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -5; round < rounds; round++) {
    const bench = new Bench({ now, time: 0, iterations, warmup: false, throws: true })
    // Another one begins each round, so that none always pays for the garbage of the same other.
    const order = names.map((_, at) => names[(at + round + names.length * 5) % names.length])
    // Asynchronous, so that what a store does in a microtask is done before the next one is made.
    for (const name of order) bench.add(name, async () => tasks[name]())
    await bench.run()
    // The first rounds only warm up.
    if (round >= 0) for (const { name, result } of bench.tasks) medians[name].push(result.latency.p50)
  }
  return Object.fromEntries(names.map((name) => [name, medianOf(medians[name])]))
}

export function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
