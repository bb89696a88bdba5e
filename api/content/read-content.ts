import type { api } from '#contract/api.ts'
import type { Handler } from '../http/handler.ts'
import { refusedField } from '../refused.ts'

export const readWords: Handler<typeof api.readWords> = async ({ query }, { content }) => {
  const found = query.files.split(',').map((file) => known(content.words(query.language, file)))
  return { words: Object.assign({}, ...found) as Record<string, string> }
}

export const readFacts: Handler<typeof api.readFacts> = async ({ query }, { content }) => ({
  facts: Object.fromEntries(query.files.split(',').map((file) => [file, known(content.facts(file))])),
})

export const readBrand: Handler<typeof api.readBrand> = async (_, { content }) => content.brand()

function known<Value>(value: Value): Value & {} {
  if (value === undefined || value === null) throw refusedField('files', 'one_of')
  return value
}
