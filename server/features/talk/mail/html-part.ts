/*
 * Builds the HTML part of an email from its plain text: paragraphs, quoted lines, lists and links. Only our own
 * addresses become links, so that no mail of ours contains a stranger's link.
 */

type Source = { readonly subject: string; readonly body: string; readonly button: string | null }
type Letterhead = { readonly productName: string; readonly publicUrl: string }

// Mail programs drop style sheets, so every element has its own style. The colors are the web app's light theme.
const FONT = "font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
const INK = '#1d2327'
const SECOND = '#5a646b'
const RUST = '#c2410c'
const STYLES = {
  page: `margin:0;padding:24px 12px;background:#f3f1ec;${FONT};font-size:16px;line-height:1.5;color:${INK}`,
  card: 'max-width:560px;margin:0 auto;padding:28px;background:#ffffff;border-radius:8px;overflow-wrap:anywhere',
  name: `max-width:560px;margin:0 auto 12px;font-weight:700;color:${SECOND}`,
  paragraph: 'margin:0 0 16px',
  quote: `margin:0 0 16px;padding:4px 0 4px 14px;border-left:3px solid #d8d3c8;color:${SECOND}`,
  button: `display:inline-block;padding:11px 20px;background:${RUST};color:#ffffff;border-radius:6px;font-weight:600;text-decoration:none`,
  link: `color:${RUST}`,
}

export function htmlPart({ subject, body, button }: Source, { productName, publicUrl }: Letterhead): string {
  let label = button
  const blocks = body
    .trim()
    .split(/\n{2,}/)
    .map((block) => {
      if (label !== null && isOurs(block, publicUrl)) {
        const html = buttonTo(block, label)
        label = null
        return html
      }
      return blockOf(block, publicUrl)
    })
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="${STYLES.page}">
<div style="${STYLES.name}">${escapeHtml(productName)}</div>
<div style="${STYLES.card}">
${blocks.join('\n')}
</div>
</body>
</html>
`
}

/** Whether a block or line is just one of our addresses. */
const isOurs = (text: string, publicUrl: string): boolean =>
  text.startsWith(`${publicUrl}/`) && !/[\s<>"]/.test(text)

const buttonTo = (url: string, label: string) =>
  `<p style="${STYLES.paragraph}"><a href="${escapeHtml(url)}" style="${STYLES.button}">${escapeHtml(label)}</a></p>`

const isQuoted = (line: string): boolean => /^>( |$)/.test(line)

/** A paragraph; from the first line marked with ">", it is a stranger's text. */
function blockOf(block: string, publicUrl: string): string {
  const lines = block.split('\n')
  const quoteAt = lines.findIndex(isQuoted)
  const own = quoteAt === -1 ? lines : lines.slice(0, quoteAt)
  const quoted = quoteAt === -1 ? [] : lines.slice(quoteAt)
  return [
    own.length > 0 &&
      `<p style="${STYLES.paragraph}">${own.map((line) => withLink(line, publicUrl, ` style="${STYLES.link}"`)).join('<br>')}</p>`,
    quoted.length > 0 &&
      `<blockquote style="${STYLES.quote}">${quoted.map((line) => escapeHtml(line.replace(/^> ?/, ''))).join('<br>')}</blockquote>`,
  ]
    .filter(Boolean)
    .join('\n')
}

/** A line as HTML. If it is our own and ends in one of our addresses, it links there. */
export function withLink(line: string, publicUrl: string, attributes = ''): string {
  const at = line.lastIndexOf(' ') + 1
  const url = line.slice(at)
  if (isQuoted(line) || !isOurs(url, publicUrl)) return escapeHtml(line)
  return `${escapeHtml(line.slice(0, at))}<a href="${escapeHtml(url)}"${attributes}>${escapeHtml(url)}</a>`
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
