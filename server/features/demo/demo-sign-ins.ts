/** The three people of the demo data who can sign in. `start` prints them, so this file imports nothing. */
export const demoEmails = {
  admin: 'admin@partharbor.example',
  free: 'free@partharbor.example',
  pro: 'pro@partharbor.example',
} as const

/** Public on purpose: demo data is refused where strangers could reach it. */
export const DEMO_PASSWORD = 'harbor-demo-1'

/** For the terminal, a line each. */
export const demoSignIns: readonly string[] = [
  `Demo sign-ins, all with the password ${DEMO_PASSWORD}:`,
  `  ${demoEmails.admin}   administrator`,
  `  ${demoEmails.pro}     seller with the Pro plan`,
  `  ${demoEmails.free}    seller with the free plan`,
]
