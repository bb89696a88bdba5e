/**
 * A second check of HTML that the server has already sanitized: whether it contains only well-formed tags without
 * scripts, event handlers, frames from other hosts, or form controls. It validates and never repairs, so what passes is
 * exactly what the server wrote.
 */
export function isCleanHtml(html: string): boolean {
  let rest = 0
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', rest)) {
    tag.lastIndex = open
    const match = tag.exec(html)
    if (!match) return false
    const [whole, name = '', attributes = ''] = match
    if (forbiddenTags.has(name.toLowerCase()) || !areCleanAttributes(name.toLowerCase(), attributes))
      return false
    rest = open + whole.length
  }
  return true
}

const tag = /<\/?([a-z][a-z0-9]*)((?:\s+[a-z][a-z0-9-]*(?:="[^"<>]*")?)*)\s*\/?>/iy
const attribute = /([a-z][a-z0-9-]*)(?:="([^"<>]*)")?/gi

const forbiddenTags = new Set(
  (
    'script style link meta base object embed applet frame frameset form input button select textarea option ' +
    'svg math template slot noscript noembed noframes xmp plaintext listing title dialog portal'
  ).split(' '),
)
const addresses = new Set(['href', 'src', 'poster', 'cite', 'action', 'formaction', 'background', 'data'])
/** The Content-Security-Policy decides which of these can actually load. */
const frameSource = /^https:\/\/www\.youtube-nocookie\.com\/embed\/[\w-]{11}$/

/** Pictures in several widths are always hosted on this site. */
const ownPictures = /^\/assets\/media\/[\w./-]+ \d+w(, \/assets\/media\/[\w./-]+ \d+w)*$/

function areCleanAttributes(tagName: string, attributes: string): boolean {
  for (const [, name = '', value = ''] of attributes.matchAll(attribute)) {
    const lower = name.toLowerCase()
    if (lower.startsWith('on') || lower === 'style' || lower === 'srcdoc') return false
    if (tagName === 'iframe' && lower === 'src' && !frameSource.test(value)) return false
    if (lower === 'srcset' && !ownPictures.test(value)) return false
    if (addresses.has(lower) && !isCleanAddress(value)) return false
  }
  return true
}

/** Web, email, and phone addresses, and our own paths. Character references in a scheme are always rejected. */
function isCleanAddress(value: string): boolean {
  const [scheme] = /^[^/?#]*?(?=[:&])/.exec(value.trim()) ?? []
  return scheme === undefined || /^(https?|mailto|tel)$/i.test(scheme) || value.trim().startsWith('#')
}
