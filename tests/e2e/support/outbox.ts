import type { Page } from '@playwright/test'
import { expect } from './story.ts'

type Mail = { to: string; replyTo: string | null; subject: string; body: string }

async function mailsTo(page: Page, email: string): Promise<Mail[]> {
  const reply = await page.request.get('/dev/outbox', { headers: { accept: 'application/json' } })
  const { items } = (await reply.json()) as { items: Mail[] }
  return items.filter(({ to }) => to === email)
}

/** Waits for a mail to this address and returns the newest with a matching subject. */
export async function mailTo(page: Page, email: string, subject: RegExp, timeout?: number): Promise<Mail> {
  const find = async () => (await mailsTo(page, email)).find((mail) => subject.test(mail.subject))
  const message = `A mail to ${email} about ${subject}`
  await expect.poll(find, { message, ...(timeout && { timeout }) }).toBeDefined()
  const mail = await find()
  if (!mail) throw new Error('a mail went away')
  return mail
}
