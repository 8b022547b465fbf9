import { startRunningApp } from './running-app.ts'

/** Starts one PartHarbor for all stories; what it answers ends it again. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const { address, payments, settings, stop } = await startRunningApp()
  // Playwright hands the environment on to its workers; see story.ts.
  process.env.STORY_APP = JSON.stringify({ address, payments, settings })
  return stop
}
