/* What the buyer's bank shows behind our own name. */

// The provider allows 22 characters together with the platform's prefix (here up to 10) and "* ".
const LONGEST = 10

/** The yard's name in letters, digits and spaces, with a letter; undefined if nothing of it is left. */
export function statementSuffix(name: string): string | undefined {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .slice(0, LONGEST)
    .trim()
    .toUpperCase()
  return /[A-Z]/.test(plain) ? plain : undefined
}
