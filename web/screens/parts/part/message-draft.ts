import { type BuyerMessage, buyerMessage } from '#contract/leads.ts'

export type MessageDraft = { name: string; email: string; phone: string; message: string }
export type DraftProblems = Readonly<Partial<Record<keyof MessageDraft, string | true>>>

/** The message as it is sent, or what stands against it, by field; of several problems the first. */
export function readDraft(draft: MessageDraft): { body: BuyerMessage } | { problems: DraftProblems } {
  const { phone, email, ...rest } = draft
  const read = buyerMessage.safeParse({
    ...rest,
    ...(email.trim() !== '' && { email: email.trim() }),
    ...(phone.trim() !== '' && { phone }),
  })
  if (read.success) return { body: read.data }
  const problems: Record<string, string> = {}
  for (const { path, message } of read.error.issues) problems[String(path[0])] ??= message
  return { problems }
}
