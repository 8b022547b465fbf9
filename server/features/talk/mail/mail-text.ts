/* What the texts of all emails are built with. */

export type MailSite = { publicUrl: string; productName: string }

/** Marks every line of a stranger's text as theirs, so that none can pass for one of ours. */
export function quote(text: string): string {
  return text
    .trim()
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

/** Joins the paragraphs of a mail; empty ones are left out. */
export function paragraphs(list: readonly string[]): string {
  return `${list.filter(Boolean).join('\n\n')}\n`
}
