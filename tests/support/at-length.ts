/**
 * How often a test repeats what is random in it: a short run in the suite, the full one in `npm run chaos -- tests`,
 * which starts the files that ask for it.
 */
export function atLength<T>({ full, brief }: { full: T; brief: T }): T {
  return process.env.CHAOS === 'full' ? full : brief
}
