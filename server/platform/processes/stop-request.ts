export type StopRequest = {
  /** Resolves once someone asks the program to stop; never rejects. */
  readonly asked: Promise<void>
  isAsked(): boolean
  /** Asks from inside: the parent vanished, a part of the program is lost. */
  ask(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * From here on the first signal asks for a graceful stop instead of ending the process, and a second one calls
 * `force`, for whoever does not want to wait (D6). Call it before anything is started that would need stopping.
 */
export function listenForStop(force: () => void): StopRequest {
  let askedAlready = false
  let resolveAsked: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    resolveAsked = resolve
  })
  const ask = () => {
    askedAlready = true
    resolveAsked()
  }
  const onSignal = () => (askedAlready ? force() : ask())
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return { asked, isAsked: () => askedAlready, ask }
}
