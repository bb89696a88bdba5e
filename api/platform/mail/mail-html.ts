import brand from '#content/brand.json' with { type: 'json' }
import { siteLanguages, type Language } from '#contract/platform/languages.ts'
import { escapeHtml } from '../text/escape-html.ts'
import { logoUrl } from './mail-logo.ts'
import { arrange, bodyGround, dress, type Look, outlookStyles, styleSheets } from './mail-look.ts'
import type { RichText } from './rich-text.ts'

/**
 * A line of an email. `fact`: a value with its label; `panel`: a value that stands alone; `code`: a code to enter;
 * `quiet`: a date. `isExact`: an address or ID, which must be compared character by character.
 */
export type Line =
  | { is: 'greeting' | 'paragraph' | 'panel' | 'code' | 'quiet'; text: string }
  | { is: 'fact'; text: string; label: string; value: string; isExact: boolean }
  | { is: 'rich'; text: string; rich: RichText }

type Button = { link: string; label: string } | ''
export type MailParts = {
  language: Language
  proof: string
  title: string
  before: readonly Line[]
  button: Button
  after: readonly Line[]
  footer: string
}

/** Returns the complete HTML document of an email. */
export function htmlOfMail(parts: MailParts): string {
  const tag = siteLanguages[parts.language]?.tag ?? 'en'
  return (
    `<!doctype html><html lang="${tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">' +
    // Otherwise, phones turn numbers and dates into links.
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no"><meta name="x-apple-disable-message-reformatting">' +
    `<title>${escapeHtml(parts.title)}</title>${styleSheets}${outlookStyles}</head>` +
    `<body style="margin:0;padding:0;background:${bodyGround}">` +
    preheaderOf(parts) +
    bodyOfMail(parts, 'mail') +
    '</body></html>'
  )
}

/** Returns only the body of an email, for the console. */
export function bodyOfMail(parts: MailParts, look: Look): string {
  const { proof, title, before, button, after, footer } = parts
  const linked = look === 'mail' ? linkify : (escaped: string) => escaped.replace(leading, '$1<u>$2</u>')
  const content =
    // A member entered it, so it is never turned into a link.
    (proof ? `<p${dress('proof', look)}>${escapeHtml(proof)}</p>` : '') +
    `<h1${dress('title', look)}>${keepReferences(escapeHtml(title), look)}</h1>` +
    linesOf(before, look, linked) +
    (button ? buttonOf(button, look) : '') +
    linesOf(after, look, linked)
  const logo =
    look === 'mail' ? `<img src="${logoUrl}" alt="" width="32" height="32"${dress('logo', look)}>` : ''
  const page = arrange(
    'page',
    look,
    `<tr><td${dress('brand', look)}>${logo}${escapeHtml(brand.name)}</td></tr>` +
      `<tr><td${dress('card', look)}>${content}</td></tr>` +
      `<tr><td${dress('footer', look)}>${broken(linked, footer)}</td></tr>`,
  )
  if (look === 'frame') return page
  // Outlook does not support maximum widths.
  const framed = `<!--[if mso]><table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->${page}<!--[if mso]></td></tr></table><![endif]-->`
  return arrange('ground', look, `<tr><td align="center"${dress('around', look)}>${framed}</td></tr>`)
}

/** References of orders and withdrawals contain hyphens, at which they would break. */
const keepReferences = (escaped: string, look: Look): string =>
  escaped.replace(/[A-Z]+(?:-[0-9A-F]{5}){2}/g, `<span${dress('reference', look)}>$&</span>`)

type Linked = (escaped: string) => string

/** Keeps the line breaks of a text. */
const broken = (linked: Linked, text: string): string =>
  text
    .split('\n')
    .map((line) => linked(escapeHtml(line)))
    .join('<br>')

/** Puts consecutive facts into one table. */
function linesOf(lines: readonly Line[], look: Look, linked: Linked): string {
  let html = ''
  let facts = ''
  const endFacts = () => {
    if (facts) html += arrange('facts', look, facts)
    facts = ''
  }
  for (const line of lines)
    if (line.is === 'fact') facts += factOf(line, look, linked)
    else {
      endFacts()
      html += lineOf(line, look, linked)
    }
  endFacts()
  return html
}

function factOf({ label, value, isExact }: Line & { is: 'fact' }, look: Look, linked: Linked): string {
  const shown = broken(linked, value)
  return (
    `<tr><td${dress('fact', look)}><span${dress('label', look)}>${escapeHtml(label)}</span><br>` +
    `${isExact ? `<span${dress('exact', look)}>${shown}</span>` : shown}</td></tr>`
  )
}

function lineOf(line: Exclude<Line, { is: 'fact' }>, look: Look, linked: Linked): string {
  if (line.is === 'rich') return look === 'mail' ? line.rich.html : line.rich.framed
  const part = dress(line.is === 'greeting' ? 'paragraph' : line.is, look)
  // A value may contain paragraphs and line breaks. A panel contains all of them.
  if (line.is === 'panel') return `<p${part}>${broken(linked, line.text)}</p>`
  return line.text
    .split(/\n{2,}/)
    .map((paragraph) => `<p${part}>${broken(linked, paragraph)}</p>`)
    .join('')
}

/** In Outlook, the cell is the button, because Outlook ignores the padding of links. */
function buttonOf({ link, label }: Exclude<Button, ''>, look: Look): string {
  const text = escapeHtml(label)
  if (look === 'frame') return `<p class="action"><span class="button">${text}</span></p>`
  const pressed = `<td${dress('press', look)}><a href="${escapeHtml(link)}"${dress('button', look)}>${text}</a></td>`
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0"${dress('action', look)}><tr>${pressed}</tr></table>`
}

const preheaderLength = 120

/** The preview that inboxes show next to the subject: the beginning of the text, without codes and links. */
function preheaderOf({ before }: MailParts): string {
  const words = before
    .filter(({ is }) => is === 'paragraph' || is === 'rich' || is === 'panel')
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/\S*https?:\/\/\S*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const letters = [...words]
  const shown =
    letters.length <= preheaderLength ? words : `${letters.slice(0, preheaderLength).join('').trim()}…`
  // The invisible characters keep the rest of the text out of the preview.
  return `<div style="display:none;max-height:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:${bodyGround};mso-hide:all">${escapeHtml(shown)}${'&#847;&zwnj;&nbsp;'.repeat(60)}</div>`
}

/** A last sentence that ends with an address: `Read more: https://…`. */
const leading = /^((?:[^]*[.?!。？！]\s*)?)([^.?!。？！]*?)\s*[:：]\s*(https?:\/\/[^\s<，。]+)$/

/**
 * Turns addresses in escaped text into links. A sentence that ends with an address becomes the link itself,
 * because no one reads 90 characters. The plain-text part keeps the address.
 */
export const linkify = (escaped: string): string =>
  leading.test(escaped)
    ? escaped.replace(
        leading,
        (_, before: string, label: string, url: string) => linkifyAll(before) + linkTo(url, label),
      )
    : linkifyAll(escaped)

const linkTo = (url: string, label: string): string => `<a href="${url}"${dress('link', 'mail')}>${label}</a>`
const linkifyAll = (escaped: string): string =>
  // Punctuation after an address is not part of it.
  escaped.replaceAll(/https?:\/\/[^\s<，。]*[^\s<，。.,;:!?]/g, (url) => linkTo(url, url))
