// Control characters and line breaks (which could forge a line in a mail), and characters that change text direction.
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether a text can be a name or title: something visible, on one line, without direction changes. */
export function isOneLine(text: string): boolean {
  return VISIBLE.test(text) && !UNSEEN.test(text)
}

export const notOneLine = (label: string) =>
  `${label} contains a line break or hidden characters. Remove them.`
