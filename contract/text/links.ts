/*
 * Detects links in texts that people send each other. Mail programs and messengers turn more than full URLs into links,
 * so site names count, too. Part numbers, prices, "e.g." and a missing space after a period must not.
 */

// Common top-level domains and those most used by junk mail. Two-letter ones are too often words ("today.is it").
const ENDINGS =
  'com|net|org|info|biz|shop|store|online|site|website|xyz|top|app|dev|club|live|link|click|pro|vip|win|bid|icu|cyou|sbs|buzz|space|tech|cloud|page|web|edu|gov|co|io|ru|cn'
const ADDRESS = /\b(?:https?|hxxps?|ftp|javascript|data):\S|\bwww\.\S/i
// Not after an @, because an email address is not a link.
const SITE = new RegExp(
  String.raw`(?<![@\w.-])(?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+(?:${ENDINGS})(?![\p{L}\p{N}@-]|\.[\p{L}\p{N}])`,
  'iu',
)
const PATH = /(?<![@\w.-])(?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+[a-z]{2,}\/\S/iu

/** Whether a text contains a link or the name of a website. */
export function hasLink(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    // Normalizes characters that browsers treat as dots, and removes invisible ones.
    .replaceAll(/[\u3002\uff0e\uff61]/g, '.')
    .replaceAll(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
  return ADDRESS.test(plain) || SITE.test(plain) || PATH.test(plain)
}
