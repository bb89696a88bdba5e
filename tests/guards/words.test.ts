import { expect, test } from 'vitest'
import { fieldProblems, refusals } from '#contract/errors.ts'
import cn from '#content/messages/cn/errors.json'
import en from '#content/messages/en/errors.json'
import mails from '#content/emails/en.json'
import { messageKeys } from '#tests/setup/words.ts'
import { findPlaceholders, makeMessageTypes } from '../../scripts/make-message-types.ts'
import { sourcesIn, textOf } from './source-files.ts'

// That both languages have the same keys and placeholders is checked by scripts/check-content.ts.

const assembledOnPurpose: Record<string, string> = {
  'api/http/problem.ts': 'its keys are the codes of the contract, whose words are tested below',
  'api/refused.ts': 'its types are of the same codes',
}

const sources = ['web', 'serve', 'api'].flatMap(sourcesIn)
const namespaces = [...new Set([...messageKeys].map((key) => key.split('.')[0]!))].join('|')

test('every message is used', () => {
  // Of the pieces of the content mails say the names, too.
  const users = [...sources, 'contract/content-piece-names.ts']
  const written = new Set(
    users.flatMap((file) => [...textOf(file).matchAll(/(['"`])([\w.-]+)\1/g)].map((match) => match[2]!)),
  )
  const unused = [...messageKeys].filter((key) => !written.has(key))
  expect(unused.toSorted()).toEqual([])
})

test('no message key is assembled, so that a search for it finds all its uses', () => {
  const assembled = new RegExp(
    `\`(?:${namespaces})\\.[^\`\\s]*\\$\\{|['"](?:${namespaces})\\.[\\w.]*['"]\\s*\\+|as MessageKey\\b`,
  )
  const found = sources.filter((file) => assembled.test(textOf(file)))
  expect(found).toEqual(Object.keys(assembledOnPurpose))
})

test('the types of values are those of the English words (npm run words:types writes them anew)', () => {
  expect(makeMessageTypes(true)).toEqual([])
})

test('every mail that has words is sent', () => {
  const frame = ['greeting', 'signature', 'footer', 'footerEntered', 'footerNews', 'phrase']
  const senders = sourcesIn('api').filter(
    (file) => file !== 'api/placeholders.ts' && !file.includes('.test.'),
  )
  const source = senders.map(textOf).join('\n')
  const kinds = Object.keys(mails).filter((key) => !frame.includes(key))
  expect(kinds.filter((kind) => !source.includes(`'${kind}'`))).toEqual([])
})

test('sentences take the same values in both languages', () => {
  expect(findPlaceholders('cn')).toEqual(findPlaceholders('en'))
})

test.each([
  ['English', en],
  ['Chinese', cn],
])('every refusal and every problem of a field has its words in %s', (_, words: Record<string, string>) => {
  const keys = [
    ...Object.keys(refusals).map((code) => `errors.${code}`),
    ...fieldProblems.map((code) => `field.${code}`),
  ]
  expect(keys.filter((key) => !words[key]?.trim())).toEqual([])
})
