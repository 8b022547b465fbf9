import { startRunningApp } from './running-app.ts'

/** Starts one PartHarbor for all stories; the returned function stops it. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const { address, payments, settings, stop } = await startRunningApp()
  // Playwright passes the environment to its workers; see story.ts.
  process.env.STORY_APP = JSON.stringify({ address, payments, settings })
  return stop
}
