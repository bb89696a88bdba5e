import { z } from 'zod'
import { isRecord } from '../../is-record.ts'
import { textsOfMails } from '../../mail/mail-texts.ts'
import { checkPair, without, type Messages } from './check-messages.ts'
import { rareNames, type Brand } from './rare-names.ts'
import { checkSchema } from './check-schema.ts'
import type { GivenContent } from './read-given.ts'
import { messageText } from './message-schema.ts'
import type { Found } from './problem.ts'

const files = { en: 'emails/en.json', cn: 'emails/cn.json' }
const texts = z.record(z.string(), messageText)

/** Checks emails: each in English and Chinese, with the same placeholders, and only those that the code provides. */
export function checkMails(
  given: GivenContent,
  brand: Brand | undefined,
  fixed: GivenContent | undefined,
): Found[] {
  const [en, cn] = [textsIn(given, files.en), textsIn(given, files.cn)]
  // Tests also apply the message rules to folders without emails.
  if (!en || !cn) return []
  const found = [...checkSchema(files.en, texts, en).found, ...checkSchema(files.cn, texts, cn).found]
  const broken = new Set(found.map(({ place }) => place))
  const known = fixed && textsIn(fixed, files.en)
  return [
    ...found,
    ...checkPair(
      files,
      { en: without(en, broken), cn: without(cn, broken), known },
      brand && rareNames(given, brand),
    ),
  ]
}

function textsIn(given: GivenContent, file: string): Messages | undefined {
  const mails = given.json(file)
  return isRecord(mails) ? textsOfMails(mails) : undefined
}
