import { expect, test } from 'vitest'
import { sourcesIn, textOf } from './source-files.ts'

/** Input components. Those of a form know its schema and derive their limits from it. */
const ofForms = ['FormInput', 'FormCode', 'FormTextArea', 'FormPassword']
const alone = ['TextField', 'TextArea', 'PasswordField', 'SearchRow', 'SettingText', 'input', 'textarea']

/** Users cannot type freely into these. */
const notTyped = /\btype="(?:radio|checkbox|file|hidden|date|datetime-local)"|\b(?:readOnly|hidden)\b/
/** Attributes that a schema defines, written by hand. */
const byHand =
  /\b(?:maxLength|minLength|lengthMax|limits|pattern|isOptional|required|aria-required)\b|\binputMode=|\btype="(?:email|tel|text)"/
const fromSchema = /\b(?:maxLength|lengthMax)=\{boundsOf\(/

/** Parts of a tag, each with its reason. */
const unboundOnPurpose: Record<string, string> = {
  'lengthMax={searchLengthMax}': 'the constant of the schema, which the pages with this field don’t load',
  'maxLength={lengthMax} ': 'a filter of a list: bounded by the schema of its endpoint’s query',
  "label={t('consoleContent.named.name')}": 'the name of a network, which the rules of the content bound',
  'value={address} inputMode="url"': 'what is no address of a link or a film is refused on the spot',
  "label={t('consoleSale.rate.type'": 'is only compared with the new rate, which its own field bounds',
  'value={typed ?? chosen}': 'only finds an option of a list, and is never sent',
  '{...field} /': 'SettingText passes on what its callers bound, and they are checked',
  "label={t('sale.calculator.": 'is only calculated with in the browser, and never sent',
  'type={inputTypes[kind]}': 'a date or time picker: users choose its value',
  "label={t('tokens.addresses')}": 'a list of networks, each judged by the schema of one',
  "label={t('consolePayouts.record.lines')}": 'a list of transactions, each bounded by the schema of one',
  "label={t('consoleRounds.guests.emails')}": 'a list of addresses, each judged by the schema of one',
  'typedNumber(target.value)':
    'a number of days, months, or parts, which the schema bounds when the form is validated',
  "label={t('official.form.label')}":
    'what is pasted must not be cut: an address without its end is another one',
}

type Field = { component: string; file: string; attributes: string }

/** Returns the opening tags of the components in a file. Attributes can contain braces, arrows, and other tags. */
function fieldsIn(file: string, components: readonly string[]): Field[] {
  const text = textOf(file)
  return [...text.matchAll(new RegExp(`<(${components.join('|')})(?=[\\s/>])`, 'g'))].map((match) => {
    let depth = 0
    let end = match.index
    while (end < text.length && !(text[end] === '>' && depth === 0)) {
      if (text[end] === '{') depth += 1
      if (text[end] === '}') depth -= 1
      end += 1
    }
    const attributes = text.slice(match.index, end).replaceAll(/\s+/g, ' ')
    return { component: match[1]!, file, attributes }
  })
}

const files = sourcesIn('web').filter(
  (file) => file.endsWith('.tsx') && !/^web\/kernel\/(ui|forms)\//.test(file),
)
const nameOf = ({ file, attributes }: Field) => `${file}: ${attributes.slice(0, 100)}`

test('fields of forms read their bounds from the schema: nobody writes one by hand', () => {
  const fields = files.flatMap((file) => fieldsIn(file, ofForms))
  expect(fields.length).toBeGreaterThan(30)
  expect(fields.filter(({ attributes }) => byHand.test(attributes)).map(nameOf)).toEqual([])
})

test('fields outside of forms are bounded by a schema as well', () => {
  const fields = files
    .flatMap((file) => fieldsIn(file, alone))
    .filter(({ attributes }) => !notTyped.test(attributes))
  expect(fields.length).toBeGreaterThan(5)
  const unbound = fields.filter(({ attributes }) => !fromSchema.test(attributes))
  const isIntended = ({ attributes }: Field) =>
    Object.keys(unboundOnPurpose).some((part) => attributes.includes(part))
  expect(unbound.filter((field) => !isIntended(field)).map(nameOf)).toEqual([])
})
