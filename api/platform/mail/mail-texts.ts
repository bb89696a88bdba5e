import { isRecord } from '../is-record.ts'

type Texts = Readonly<Record<string, string>>

/** Texts already split, by file. */
const known = new WeakMap<object, Texts>()

/**
 * Each text of an email file by its key: `activation.subject`, `activation.before.1`, and `frame.footer` for
 * the shared frame. An email without a button has no text for it.
 */
export function textsOfMails(mails: object): Texts {
  const before = known.get(mails)
  if (before) return before
  const texts: Record<string, string> = {}
  withMailTexts(mails, (key, text) => (texts[key] = text))
  known.set(mails, texts)
  return texts
}

/** The same file with other texts. */
export const withMailTexts = <Mails extends object>(
  mails: Mails,
  textAt: (key: string, text: string) => string,
): Mails =>
  Object.fromEntries(
    Object.entries(mails).map(([name, mail]: [string, unknown]) => [
      name,
      isRecord(mail) ? withParts(name, mail, textAt) : textAt(`frame.${name}`, String(mail)),
    ]),
  ) as Mails

const withParts = (
  name: string,
  mail: Record<string, unknown>,
  textAt: (key: string, text: string) => string,
): object =>
  Object.fromEntries(
    Object.entries(mail).map(([part, said]) => [
      part,
      Array.isArray(said)
        ? said.map((text: unknown, at) => textAt(`${name}.${part}.${at + 1}`, String(text)))
        : said === ''
          ? said
          : textAt(`${name}.${part}`, String(said)),
    ]),
  )
