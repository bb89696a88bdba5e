import { expect, test } from 'vitest'
import { sensitiveIn } from './sensitive.ts'

const changed = (to: string, path = 'en.home.title') => [{ path, from: 'Before', to }]

test.each([
  'Read https://elsewhere.example',
  'Read elsewhere.example/now',
  'Look at t.me/faucet',
  '请看例子.公司',
  'Write to somebody@elsewhere',
  'Pay 1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  'Pay 0x52908400098527886e0f7030069857d2e4169ee7',
  'Pay fab1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4，谢谢',
])('%s is followed or paid to', (text) => {
  expect(sensitiveIn('messages/home', changed(text))).toEqual(['links'])
  // Taking one away is a change of it, too.
  expect(sensitiveIn('facts/faq.json', [{ path: 'x', from: text, to: null }])).toEqual(['links'])
})

test.each([
  'A block a minute. Then another one.',
  '70% is mined. 30% was allocated in block 0, on 20 March 2024 at 12:00.',
  '约每 4 年减半。矿工得 31.5，验证人得 3.5。',
  'Fees begin at 0.000025 {ticker}, e.g. for 250 bytes; see the <link>manual</link>.',
])('%s is read only', (text) => {
  expect(sensitiveIn('messages/home', changed(text))).toEqual([])
})

test('the brand, legal texts and documents are known by their places', () => {
  expect(sensitiveIn('brand.json', changed('+1', 'phone'))).toEqual(['links'])
  expect(sensitiveIn('brand.json', changed('A tagline', 'tagline.en'))).toEqual([])
  expect(sensitiveIn('brand.json', changed('Legal', 'legalLine.en'))).toEqual(['legal'])
  expect(sensitiveIn('messages/legal', changed('Anything'))).toEqual(['legal'])
  expect(sensitiveIn('documents/brochure', changed('2', 'en.pages'))).toEqual(['links'])
  expect(sensitiveIn('facts/manuals.json', changed('other', 'mining.fileTitle'))).toEqual(['links'])
  expect(sensitiveIn('messages/legal', [])).toEqual([])
})
