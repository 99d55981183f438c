import { Bench } from 'tinybench'

/**
 * Measures tasks beside each other: many short rounds in which each has its turn, so that a machine that slows down
 * slows them all down. A task may return `{ overriddenDuration }` where only a part of it counts.
 * @returns by task: the median milliseconds of its rounds
 */
export async function measure(tasks, { rounds = 15, iterations = 3 } = {}) {
  const names = Object.keys(tasks)
  const medians = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -2; round < rounds; round++) {
    const bench = new Bench({ time: 0, iterations, warmup: false, throws: true })
    // Each round begins with another task: none of them always pays for the garbage of the same one.
    const order = names.map((_, at) => names[(at + round + names.length * 2) % names.length])
    for (const name of order) bench.add(name, tasks[name], { beforeEach: () => globalThis.gc?.({ type: 'minor' }) })
    await bench.run()
    // The first two rounds only warm up.
    if (round >= 0) for (const { name, result } of bench.tasks) medians[name].push(result.latency.p50)
  }
  return Object.fromEntries(names.map((name) => [name, medianOf(medians[name])]))
}

export function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
