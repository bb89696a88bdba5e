import type { api } from '#contract/api.ts'
import { publicDataFiles } from '#contract/publishing/public-content.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { refusedField } from '../../platform/refused.ts'

export const readWords: Handler<typeof api.readWords> = async ({ query }, { content }) => {
  // All message files are public: pages load those of the console before anyone signs in.
  const found = query.files.split(',').map((file) => known(content.words(query.language, file)))
  return { words: Object.assign({}, ...found) as Record<string, string> }
}

export const readFacts: Handler<typeof api.readFacts> = async ({ query }, { content }) => ({
  facts: Object.fromEntries(shownFacts(query.files).map((file) => [file, known(content.facts(file))])),
})

export const readBrand: Handler<typeof api.readBrand> = async (_, { content }) => content.brand()

const notShown = () => refusedField('files', 'one_of')

/** Returns the requested names, which are those of public data files. */
function shownFacts(files: string): string[] {
  const names = files.split(',')
  if (!names.every((name) => (publicDataFiles as readonly string[]).includes(name))) throw notShown()
  return names
}

function known<Value>(value: Value): Value & {} {
  if (value === undefined || value === null) throw notShown()
  return value
}
