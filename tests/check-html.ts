/**
 * Checks sanitized HTML without sharing code with the sanitizer. Accepts only the exact form that the sanitizer writes,
 * with the tags and attributes that a post can have, and reports everything else.
 */
export function whatIsWrongWith(html: string): string[] {
  const wrong: string[] = []
  const open: string[] = []
  const text = html.replaceAll(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+(?:="[^"<>]*")?)*)( \/)?>/g,
    (_, closing: string, name: string, attributes: string, isVoid: string | undefined) => {
      if (!tags.has(name)) wrong.push(`<${name}>`)
      for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([a-z]+)(?:="([^"]*)")?/g))
        if (!isAllowed(name, attribute, decode(value))) wrong.push(`${name} ${attribute}="${value}"`)
      if (closing) {
        if (open.pop() !== name) wrong.push(`</${name}> closes nothing`)
      } else if (!isVoid) open.push(name)
      return ''
    },
  )
  if (/[<>]/.test(text)) wrong.push('a bracket outside of a tag')
  if (open.length > 0) wrong.push(`never closed: ${open.slice(0, 5).join(' ')}`)
  return wrong
}

const tags = new Set(
  (
    'p h1 h2 h3 h4 h5 h6 blockquote pre ul ol li div strong b em i u s del code sub sup span a br ' +
    'img iframe video'
  ).split(' '),
)

const web = /^https:\/\/[a-z0-9.-]+(?::\d+)?(?:[/?#]|$)/i
// oxlint-disable-next-line no-control-regex -- browsers skip control characters, so a URL must not contain any
const own = /^(?![/\\]{2})(?![a-z\d+.-]*:)[^\u0000-\u0020\\]*$/i

const attributes: Record<string, (value: string, tag: string) => boolean> = {
  class: (value) => /^ql-[a-z0-9-]+( ql-[a-z0-9-]+)*$|^$/.test(value),
  dir: () => true,
  title: () => true,
  alt: (_, tag) => tag === 'img',
  srcset: (value, tag) =>
    tag === 'img' && /^(\/assets\/media\/news\/[0-9a-f]{32}-\d+\.webp \d+w(, |$))+$/.test(value),
  sizes: (value, tag) => tag === 'img' && /^[\w\s:(),-]*$/.test(value),
  width: (_, tag) => tag === 'img',
  height: (_, tag) => tag === 'img',
  loading: (value) => value === 'lazy',
  rel: (value, tag) => tag === 'a' && value === 'noopener noreferrer nofollow',
  target: (value, tag) => tag === 'a' && value === '_blank',
  href: (value, tag) =>
    tag === 'a' &&
    (web.test(value) || /^http:\/\/[a-z0-9]/i.test(value) || /^mailto:/i.test(value) || own.test(value)),
  src: (value, tag) =>
    tag === 'iframe'
      ? /^https:\/\/(www\.youtube\.com|www\.youtube-nocookie\.com|player\.vimeo\.com)\//.test(value)
      : web.test(value) || own.test(value),
  referrerpolicy: (value, tag) => tag === 'iframe' && value === 'strict-origin-when-cross-origin',
  allowfullscreen: (_, tag) => tag === 'iframe',
  controls: (_, tag) => tag === 'video',
  preload: (value, tag) => tag === 'video' && value === 'metadata',
}

const isAllowed = (tag: string, name: string, value: string): boolean =>
  attributes[name]?.(value, tag) ?? false

const decode = (text: string): string =>
  text
    .replaceAll(/&#x([0-9a-f]+);?/gi, (_, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, 16)),
    )
    .replaceAll(/&#(\d+);?/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replaceAll('&colon;', ':')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
