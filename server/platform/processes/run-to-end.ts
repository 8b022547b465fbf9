import { fork } from 'node:child_process'

/**
 * Runs one of our scripts as a process of its own, whose memory is given back afterwards, and resolves with its exit
 * code. It shares our terminal; the channel, over which it gets its settings, ends it when we are killed.
 */
export function runToEnd(
  script: string,
  args: readonly string[] = [],
  settings?: Readonly<Record<string, string>>,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = fork(script, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child.on('error', reject)
    child.once('exit', resolve)
    if (settings) child.send(settings)
  })
}
