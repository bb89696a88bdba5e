const digit = '[\\d\\uff10-\\uff19]'
const chinese = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}'

/**
 * Signs of Chinese that end a word, where browsers take them for no part of an address. The full stop does where Chinese
 * or nothing stands beside it: between letters of an address it is a dot. Brackets may stand in a number.
 */
const between = new RegExp(
  `[，、；！？【】〈〉『』…]+|。(?=$|[\\s\\p{P}${chinese}])|(?<=^|[\\s\\p{P}${chinese}])。|：(?![/／])|` +
    `（(?!${digit}|\\+)|(?<!${digit})）`,
  'u',
)

/** Whether there is anything in it that somebody may read or follow. */
export const saysSomething = (text: string): boolean => /[\p{L}\p{N}.@:/]/u.test(text)

/** What a text is made of, by signs that stand in no address; with spaces, as numbers and names before an e-mail have. */
export const partsOf = (text: string): string[] => text.split(between).filter(saysSomething)

/** The words of a part. */
export const piecesOf = (part: string): string[] => part.split(/[\s<>"“”「」《》|]+|\]\(/u)

/** A piece without spaces in which further links begin: `text](https://…`, `或者https://…`. */
export const innerOf = (piece: string): string[] =>
  piece
    .split(/(?=(?:https?|hxxps?|ftp|wss?):)|\]\(|(?<=\S)(?=(?:mailto|tel|tg|bitcoin|ethereum):)/i)
    .filter(saysSomething)

/** Whether a link of ours is all that stands there: no second one in its path, nor signs in which a text goes on. */
export function isWhole(pasted: string): boolean {
  const link = refanged(unwrapped(pasted)).replace(/^(?:[a-z][a-z\d+.-]*:)?[/\\]{2}/i, '')
  const rest = /[/?#].*$/s.exec(link)?.[0] ?? ''
  if (!/^[\w\-.~%!$&'*+=:@/?#]*$/.test(rest)) return false
  let seen = rest
  for (let turn = 0; turn < 3; turn += 1) {
    if (/:\/|\/\/[^/]*\.|\]\(|https?:|[\\\s]|[^\p{ASCII}]/iu.test(seen)) return false
    seen = decoded(seen)
  }
  return true
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Somebody writes `hxxps://coin[.]example` so that nobody follows it. */
export const refanged = (text: string): string =>
  text
    .replace(/^hxxp/i, 'http')
    .replaceAll(/\[(?:\.|dot)\]|\((?:\.|dot)\)|\{\.\}/gi, '.')
    .replaceAll(/\[(?:@|at)\]|\(at\)/gi, '@')

/** Without quotes and brackets around it, and the end of a sentence behind. */
export const unwrapped = (text: string): string =>
  text
    .replace(/^[\s"'“”‘’«»「」《([]+/u, '')
    .replace(/[\s"'“”‘’«»「」》,;:!?、，；：！？]+$/u, '')
    .replace(/^<([^<>@]+)>$/, '$1')
    .replace(/(?<=[^\s.])\.$/, '')
    .replace(/(?<=^[^(]*)\)$/, '')
    .replace(/(?<=^[^[]*)\]$/, '')
