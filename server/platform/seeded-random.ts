/** Pseudorandom numbers that are the same on every machine and in every run. */
export type Random = {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** A whole number, both ends included. */
  whole(from: number, to: number): number
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
}

export function seededRandom(seed: string): Random {
  const next = mulberry32(hash(seed))
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    whole,
    chance: (share) => next() < share,
    pick: (list) => list[whole(0, list.length - 1)] ?? fail(),
  }
}

/** Returns a function that chooses items by weight; built once, it is cheap for thousands of choices. */
export function weightedChoice<T>(items: readonly T[], weight: (item: T) => number): (random: Random) => T {
  let total = 0
  const upTo = items.map((item) => {
    total += weight(item)
    return total
  })
  return (random) => items[firstAbove(upTo, random.next() * total)] ?? fail()
}

function firstAbove(sums: readonly number[], value: number): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 0) > value) high = middle
    else low = middle + 1
  }
  return low
}

/** Tommy Ettinger's mulberry32: 32 bits of state, good enough for demo data. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

function fail(): never {
  throw new RangeError('a choice from an empty list')
}
