/**
 * Small statements one after another, until one finds less than it was allowed to: nothing is locked for long, and it can
 * be broken off anywhere. Answers how many were found in all.
 */
export async function untilNone(
  signal: AbortSignal,
  atOnce: number,
  some: (most: number) => Promise<number>,
): Promise<number> {
  let total = 0
  for (;;) {
    signal.throwIfAborted()
    const found = await some(atOnce)
    total += found
    if (found < atOnce) return total
  }
}
