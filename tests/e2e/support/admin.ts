import type { Page } from '@playwright/test'
import { demo, keep, type Session, signIn } from './people.ts'

let session: Promise<Session> | undefined

/** The demo’s administrator, signed in once for all stories of a browser: none of them may sign out. */
export async function signInAsAdmin(page: Page): Promise<Session> {
  if (session === undefined) {
    session = signIn(page, demo.admin)
    return session
  }
  return keep(page, await session)
}
