import { dictionary } from '@zxcvbn-ts/language-common'

/** What a password must not be made of. */
export type PasswordOwner = { name: string; email: string; productName: string }

const LEAST_CHARACTERS = 8
/** "aaaaaaaa", "abababab", "12121212". */
const LEAST_DIFFERENT = 4
/** Shorter words ("al", "jo") are in half of all sentences. */
const LEAST_WORD = 3

// About 49,000, lower case, most used first. They are what is tried first, and they are here: nothing is looked up
// elsewhere.
const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/**
 * Why a password would be guessed, as a sentence that says what to do instead; undefined for one that will do. There
 * is no rule of composition: any 8 characters that nobody would try first are good.
 */
export function passwordProblem(plain: string, owner: PasswordOwner): string | undefined {
  const lower = plain.toLowerCase()
  const remaining = ownWords(owner).reduce((rest, word) => rest.replaceAll(word, ''), lower)
  if (commonPasswords.has(lower) || commonPasswords.has(remaining)) {
    return 'This password is one of the first that would be guessed. A few unrelated words make a better one.'
  }
  if (new Set(lower).size < LEAST_DIFFERENT) {
    return 'This password repeats too few characters. A few unrelated words make a better one.'
  }
  if (remaining !== lower && [...remaining].length < LEAST_CHARACTERS) {
    return `This password is too close to your name, your e-mail address or ${owner.productName}. Add a few unrelated words.`
  }
  return undefined
}

/** The words that anyone who knows the person would try; long ones first, so that none hides inside another. */
function ownWords({ name, email, productName }: PasswordOwner): string[] {
  const [mailbox = '', domain = ''] = email.split('@')
  const provider = domain.split('.').slice(0, -1).join(' ')
  const apart = productName.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  const words = [name, email, mailbox, provider, productName, apart].flatMap((text) => [
    text,
    text.replace(/[^\p{L}\p{N}]+/gu, ''),
    ...text.split(/[^\p{L}\p{N}]+/u),
  ])
  return [...new Set(words.map((word) => word.toLowerCase()))]
    .filter((word) => word.length >= LEAST_WORD)
    .sort((a, b) => b.length - a.length)
}
