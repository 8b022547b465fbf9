import { lookAlikeForm } from './look-alikes.ts'

/*
 * Detects links in texts that people send each other. Mail programs and messengers turn more than full URLs into links,
 * so site names count, too, and so do those that only a person reads ("evil dot com"). Part numbers, prices, "e.g." and a
 * missing space after a period must not.
 */

// Common top-level domains and those most used by junk mail. Two-letter ones are too often words ("today.is it").
const ENDINGS =
  'com|net|org|info|biz|shop|store|online|site|website|xyz|top|app|dev|club|live|link|click|pro|vip|win|bid|icu|cyou|sbs|buzz|space|tech|cloud|page|web|edu|gov|example|co|io|ru|cn'
// Domains that never follow the word "dot" in a URL: the DOT has a site, and a tire has DOT info.
const SPOKEN = 'com|net|org|xyz|biz|icu|cyou|io|ru|cn'
const ADDRESS = /\b(?:https?|hxxps?|ftp|javascript|data):\S|\bwww\.\S/
// Not after an @, because an email address is not a link.
const LABELS = String.raw`(?<![@\w.-])(?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+`
const END = String.raw`(?![\p{L}\p{N}@-]|\.[\p{L}\p{N}])`
const SITE = new RegExp(`${LABELS}(?:${ENDINGS})${END}`, 'u')
const PATH = new RegExp(String.raw`${LABELS}[a-z]{2,}\/\S`, 'u')
const HIDDEN_DOTS = [
  // evil[.]com, evil (dot) store: nobody writes a dot like this for any other reason.
  String.raw`[a-z0-9]\s*[[({<]\s*(?:\.|d[o0]t)\s*[\])}>]\s*[a-z]{2,}`,
  String.raw`[a-z0-9](?:[\s_-]+d[o0]t[\s_-]+|d[o0]t)(?:${SPOKEN})${END}`,
  // evil . com, evil .com, evil,com
  String.raw`[a-z0-9](?:\s+\.\s*|\s*\.\s+|,)com${END}`,
].map((pattern) => new RegExp(pattern, 'u'))
// Browsers read these as periods. In an address the letters around them are Latin, in a Chinese sentence they are not.
const WIDE_DOTS = /[\u3002\uff0e\uff61]/g
const WIDE_SITE = /[a-z0-9][\u3002\uff0e\uff61][a-z]{2,}/

/** Whether a text contains a link or the name of a website. */
export function hasLink(text: string): boolean {
  // Before the dots become periods like all others.
  if (WIDE_SITE.test(text.toLowerCase())) return true
  const plain = lookAlikeForm(text.replaceAll(WIDE_DOTS, '.'))
  return [ADDRESS, SITE, PATH, ...HIDDEN_DOTS].some((link) => link.test(plain))
}
