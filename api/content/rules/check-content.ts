import type { z } from 'zod'
import { checkFiles } from './check-files.ts'
import { checkMails } from './check-mails.ts'
import { checkMessages } from './check-messages.ts'
import { checkSchema } from './check-schema.ts'
import { checkTranslations } from './check-translations.ts'
import { factSchemas } from './fact-schemas.ts'
import type { GivenContent } from './read-given.ts'
import { WHOLE_FILE, type Found } from './problem.ts'
import { languages } from '#contract/languages.ts'
import { statutoryTexts } from '#contract/statutory-texts.ts'
import { isRecord } from '../../is-record.ts'

const textOf = (content: GivenContent, file: string, key: string): unknown => {
  const texts = content.json(file)
  return isRecord(texts) ? texts[key] : undefined
}

/** Checks that notices worded by law are the same as in the original files, even in languages that lack them. */
const checkStatutory = (given: GivenContent, fixed: GivenContent): Found[] =>
  languages.flatMap((language) => {
    const file = `messages/${language}/white-paper.json`
    return statutoryTexts
      .filter((key) => textOf(given, file, key) !== textOf(fixed, file, key))
      .map((place): Found => ({ file, place, code: 'statutory' }))
  })

type FactFile = keyof typeof factSchemas
/** Data that passed the schemas, by file. */
export type Facts = { [File in FactFile]?: z.infer<(typeof factSchemas)[File]> }

/**
 * Lists all problems of this content. `fixed` is the content that the release was built with: if given, texts must keep
 * the placeholders and tags that pages use.
 */
export function checkContent(given: GivenContent, fixed?: GivenContent): Found[] {
  const found: Found[] = []
  const facts = checkFacts(given, found)
  found.push(...checkMessages(given, facts['brand.json'], fixed))
  found.push(...checkMails(given, facts['brand.json'], fixed))
  if (fixed) found.push(...checkStatutory(given, fixed))
  found.push(...checkFiles(given, facts), ...checkTranslations(given))
  return found
}

function checkFacts(given: GivenContent, found: Found[]): Facts {
  const facts: Record<string, unknown> = {}
  for (const [file, schema] of Object.entries(factSchemas)) {
    const value = given.json(file)
    if (value === undefined) {
      found.push({ file, place: WHOLE_FILE, code: 'missing' })
      continue
    }
    const checked = checkSchema(file, schema, value)
    if (checked.data !== undefined) facts[file] = checked.data
    found.push(...checked.found)
  }
  for (const name of given.names('facts'))
    if (!(`facts/${name}` in factSchemas))
      found.push({ file: `facts/${name}`, place: WHOLE_FILE, code: 'no_schema' })
  return facts
}
