// Control characters and line breaks (which would forge a line in a mail), and signs that turn the direction of what
// follows.
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether a text can stand as a name or title: something to see in it, in one line, in its own direction. */
export function isOneLine(text: string): boolean {
  return VISIBLE.test(text) && !UNSEEN.test(text)
}

export const notOneLine = (label: string) => `${label} holds characters that cannot be shown. Type it again.`
