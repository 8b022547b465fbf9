/** The three people of the demo data who can sign in. `start` prints them, so this file imports nothing. */
export const demoEmails = {
  admin: 'admin@partharbor.example',
  free: 'free@partharbor.example',
  pro: 'pro@partharbor.example',
} as const

/** Public on purpose: demo data cannot be loaded where strangers could reach it. */
export const DEMO_PASSWORD = 'harbor-demo-1'

/** Lines for the terminal. */
export const demoSignIns: readonly string[] = [
  `Demo sign-ins, all with the password ${DEMO_PASSWORD}:`,
  `  ${demoEmails.admin}   administrator`,
  `  ${demoEmails.pro}     seller with the Pro plan`,
  `  ${demoEmails.free}    seller with the free plan`,
]
