/*
 * Reads a text as a person sees it. Full-width and styled letters, Cyrillic and Greek letters that look like Latin ones,
 * accents and invisible characters make the same words from other characters, which hides a link or copies a name.
 */

/** Each with the Latin letters that it looks like. */
const PAIRS = [
  'аa вb еe кk мm нh оo рp сc тt уy хx ѕs іi јj ԁd ԛq ԝw һh ӏl гr пn',
  'αa βb εe ηn ιi κk μm νv οo ρp τt υu χx',
  'ıi ɩi ɡg ʟl ʜh ᴀa ᴄc ᴇe ᴍm ᴏo ßss øo łl',
].join(' ')
const LATIN_OF = new Map(PAIRS.split(' ').map((pair) => [pair.charAt(0), pair.slice(1)]))

/** In lower case, without invisible characters and accents. Not for display. */
export function lookAlikeForm(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{M}]/gu, '')
    .toLowerCase()
  return plain.replaceAll(/[^\p{ASCII}]/gu, (character) => LATIN_OF.get(character) ?? character)
}

const lettersOf = (text: string): string =>
  lookAlikeForm(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')

/** Offices of a firm. */
const OFFICE =
  /official|support|help|desk|team|payments?|billing|security|services?|admin|accounts?|staff|customer|center|verified|confirmed|email|the|inc|llc|com/g

/** Whether a text, however it is spelled, is this name or an office of whoever has it: "Name Support". */
export function isNameOrOffice(text: string, name: string): boolean {
  const [letters, named] = [lettersOf(text), lettersOf(name)]
  return named !== '' && letters.includes(named) && letters.replace(named, '').replaceAll(OFFICE, '') === ''
}
