import { waitingLine } from '#server/platform/processes/concurrency.ts'

/** A yard's pictures are mostly on one small server, which has visitors of its own. */
const AT_ONCE = 2
/** A server that failed this often in a row, retries included, is away: waiting for it would hold up everybody else's. */
const FAILURES_TO_GIVE_UP = 5

type Host = { inLine: ReturnType<typeof waitingLine>; failures: number }

/** Lets few ask a host at one time, and remembers the hosts that do not answer. */
export class HostTurns {
  readonly #hosts = new Map<string, Host>()

  /** Runs a task of a host when its turn comes. */
  take<T>(url: string, task: () => Promise<T>): Promise<T> {
    return this.#host(url).inLine(task)
  }

  hasGivenUp(url: string): boolean {
    return this.#host(url).failures >= FAILURES_TO_GIVE_UP
  }

  note(url: string, answered: boolean): void {
    const host = this.#host(url)
    host.failures = answered ? 0 : host.failures + 1
  }

  #host(url: string): Host {
    const name = URL.parse(url)?.hostname ?? ''
    const known = this.#hosts.get(name)
    if (known) return known
    const host = { inLine: waitingLine({ atOnce: AT_ONCE, waiting: Number.POSITIVE_INFINITY }), failures: 0 }
    this.#hosts.set(name, host)
    return host
  }
}
