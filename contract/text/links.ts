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
  // The dots of other keyboards, and the word in Spanish and French.
  String.raw`[a-z0-9]\s*[\u00b7\u2022\u2027\u2219\u22c5\u30fb\uff65]\s*(?:${SPOKEN})${END}`,
  String.raw`[a-z0-9]\s+(?:punto|point)\s+com${END}`,
  // e v i l . c o m, www evil com
  String.raw`\.\s*c\s+o\s+m${END}`,
  String.raw`\bwww[\s-]+[a-z0-9-]+[\s-]+(?:${SPOKEN})${END}`,
  // An address without a name, with a port or path.
  String.raw`(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}[:/]\S`,
  // evil . com, evil .com, evil,com
  String.raw`[a-z0-9](?:\s+\.\s*|\s*\.\s+|,)com${END}`,
].map((pattern) => new RegExp(pattern, 'u'))
// Browsers read these as periods. In an address the letters around them are Latin, in a Chinese sentence they are not.
const WIDE_DOTS = /[\u3002\uff0e\uff61]/g
const WIDE_SITE = /[a-z0-9][\u3002\uff0e\uff61][a-z]{2,}/

// Endings in other scripts that have many sites. Any other would be a missing space after a sentence.
const OTHER_SCRIPTS =
  /[\p{L}\p{N}]\.(?:\u0440\u0444|\u0440\u0443\u0441|\u043e\u043d\u043b\u0430\u0439\u043d|\u0441\u0430\u0439\u0442|\u043a\u043e\u043c|\u0443\u043a\u0440|\u516c\u53f8|\u4e2d\u56fd|\u4e2d\u570b|\u7f51\u7edc|\u7f51\u5740|\u5728\u7ebf|\u5546\u57ce|\u7f51\u5e97|\u96c6\u56e2|\u9999\u6e2f|\u53f0\u6e7e|\ud55c\uad6d|\ub2f7\ucef4|\u30b3\u30e0)(?![\p{L}\p{N}])/u

/** Whether a text contains a link or the name of a website. */
export function hasLink(text: string): boolean {
  // Before the dots become periods like all others.
  if (WIDE_SITE.test(text.toLowerCase())) return true
  const dotted = text.replaceAll(WIDE_DOTS, '.')
  if (OTHER_SCRIPTS.test(dotted.toLowerCase())) return true
  const plain = lookAlikeForm(dotted)
  return [ADDRESS, SITE, PATH, ...HIDDEN_DOTS].some((link) => link.test(plain))
}
