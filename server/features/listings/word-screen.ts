// What a word of the list may be: a phrase of its own, or the first or second word of one.
const [ALONE, FIRST, SECOND] = [1, 2, 4]
// So many more slots than words that few innocent words share one, and few enough to stay in the processor's cache.
const SLOTS = 16_384

/** Code of the small letter or digit that an ASCII character is; 0 for every other. */
const letters = new Uint8Array(128)
for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789') {
  letters[letter.charCodeAt(0)] = letter.charCodeAt(0)
  letters[letter.toUpperCase().charCodeAt(0)] = letter.charCodeAt(0)
}

/** Whether a word of some role makes a phrase, alone or with the word before it. */
const isPhrase = (role: number, before: number) =>
  (role & ALONE) !== 0 || ((role & SECOND) !== 0 && (before & FIRST) !== 0)

const nextHash = (hash: number, letter: number) => (Math.imul(hash, 31) + letter) | 0
const slotOf = (hash: number) => hash & (SLOTS - 1)

/**
 * Makes a quick look at a text that says whether any of the phrases (small letters) may stand in it. It never misses one;
 * where it says yes, and of every text that is not ASCII it does, look closely. A loop over character codes takes a tenth
 * of the time of taking the words out.
 */
export function wordScreen(phrases: Iterable<string>): (text: string) => boolean {
  const roles = new Map<string, number>()
  const slots = new Uint8Array(SLOTS)
  const note = (word: string, role: number) => {
    let hash = 0
    for (const letter of word) hash = nextHash(hash, letter.charCodeAt(0))
    slots[slotOf(hash)] = 1
    roles.set(word, (roles.get(word) ?? 0) | role)
  }
  for (const phrase of phrases) {
    const [first, second] = phrase.match(/[a-z0-9]+/g) ?? []
    if (first === undefined) continue
    note(first, second === undefined ? ALONE : FIRST)
    if (second !== undefined) note(second, SECOND)
  }

  const roleOf = (word: string) => roles.get(word.toLowerCase()) ?? 0

  let slot = 0
  /** Where the word ends that begins there, and whose slot is noted. */
  function passWord(text: string, begin: number): number {
    let hash = 0
    let at = begin
    for (; at < text.length; at++) {
      const letter = letters[text.charCodeAt(at)]
      if (!letter) break
      hash = nextHash(hash, letter)
    }
    slot = slotOf(hash)
    return at
  }

  return (text) => {
    let before = 0
    for (let at = 0; at < text.length; at++) {
      const end = passWord(text, at)
      if (text.charCodeAt(end) >= letters.length) return true
      if (end === at) continue
      const role = slots[slot] === 0 ? 0 : roleOf(text.slice(at, end))
      if (isPhrase(role, before)) return true
      before = role
      at = end
    }
    return false
  }
}
