/** Holds back whoever asks `untilGo` while it is on. */
export function pauseSwitch() {
  let waiting: (() => void)[] | undefined

  return {
    set(paused: boolean): void {
      const held = waiting
      waiting = paused ? (held ?? []) : undefined
      if (!paused) for (const go of held ?? []) go()
    },
    untilGo: (): Promise<void> => new Promise((go) => (waiting ? waiting.push(go) : go())),
  }
}

export type PauseSwitch = ReturnType<typeof pauseSwitch>
