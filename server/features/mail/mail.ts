/** A text to one person. */
export type NewMail = {
  readonly to: string
  /** Where an answer goes, if not to us. */
  readonly replyTo?: string
  readonly subject: string
  readonly body: string
}

// One plain address: a comma would be a second recipient, a line end a header of the sender's choice.
const ADDRESS = /^[^\s<>(),;:"[\]\\@]+@[^\s<>(),;:"[\]\\@]+$/
const ADDRESS_LENGTH = 254
// Longer ones are cut by mail programs anyway; the standard ends a line at 998.
const SUBJECT_LENGTH = 200

/** The mail as it may be sent. Parts of a subject often come from strangers, so line ends and the like become spaces. */
export function checkMail(mail: NewMail): NewMail {
  for (const address of [mail.to, mail.replyTo ?? mail.to]) {
    if (address.length > ADDRESS_LENGTH || !ADDRESS.test(address)) throw new Error('not an address for mail')
  }
  const subject = mail.subject.replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim()
  return { ...mail, subject: subject.slice(0, SUBJECT_LENGTH).toWellFormed() }
}
