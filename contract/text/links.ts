/*
 * Links in texts that people send each other. Mail programs and messengers turn more than complete addresses into links,
 * so names of sites count too. Part numbers, prices, "e.g." and a missing space after a period must not.
 */

// The endings under which most junk mail links, and the common ones. Two letters are too often a word ("today.is it").
const ENDINGS =
  'com|net|org|info|biz|shop|store|online|site|website|xyz|top|app|dev|club|live|link|click|pro|vip|win|bid|icu|cyou|sbs|buzz|space|tech|cloud|page|web|edu|gov|co|io|ru|cn'
const ADDRESS = /\b(?:https?|hxxps?|ftp|javascript|data):\S|\bwww\.\S/i
// Not after an @: an email address is no link.
const SITE = new RegExp(
  String.raw`(?<![@\w.-])(?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+(?:${ENDINGS})(?![\p{L}\p{N}@-]|\.[\p{L}\p{N}])`,
  'iu',
)
const PATH = /(?<![@\w.-])(?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+[a-z]{2,}\/\S/iu

/** Whether a text contains a link or the name of a web site. */
export function hasLink(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    // Dots that browsers read as dots, and characters that nobody sees.
    .replaceAll(/[\u3002\uff0e\uff61]/g, '.')
    .replaceAll(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
  return ADDRESS.test(plain) || SITE.test(plain) || PATH.test(plain)
}
