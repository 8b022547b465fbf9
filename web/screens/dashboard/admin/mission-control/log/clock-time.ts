const clock = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** "23:14:02", where the person is. */
export const clockTime = (iso: string): string => clock.format(new Date(iso))

/** "2026-11-21 23:14:02.125 UTC" */
export const utcTime = (iso: string): string =>
  new Date(iso).toISOString().replace('T', ' ').replace('Z', ' UTC')
