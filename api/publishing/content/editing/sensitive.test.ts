import { expect, test } from 'vitest'
import ambassador from '#content/messages/en/ambassador.json' with { type: 'json' }
import kyc from '#content/messages/en/kyc.json' with { type: 'json' }
import login from '#content/messages/en/login.json' with { type: 'json' }
import orders from '#content/messages/en/orders.json' with { type: 'json' }
import { legalTexts, sensitiveIn } from './sensitive.ts'

const changed = (to: string, path = 'en.home.title') => [{ path, from: 'Before', to }]

test.each([
  'Read https://elsewhere.example',
  'Read elsewhere.example/now',
  'Look at t.me/faucet',
  '请看例子.公司',
  'Write to somebody@elsewhere',
  'Write to @coin_support there',
  'Pay 1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  'Pay 0x52908400098527886e0f7030069857d2e4169ee7',
  'Pay own1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4，谢谢',
  // Readers see the same text, but a simple pattern does not match it.
  'Look at evil\u200b.com/now',
  'Look at evil.\u2060com',
  'Look at ev\u00adil\u034f.c\u0301om',
  'Look at evil。com',
  'Look at evil．com and evil｡com and evil․com',
  'Ｌｏｏｋ　ａｔ　ｅｖｉｌ．ｃｏｍ',
  '请看例子。com',
  '请看例子。公司/现在',
  'Look at <link>evil</link>.com',
  'Look at evil<b></b>.<b></b>com',
  'Look at {brand}.com',
  'Look at evil.{ticker}',
  'Look at evil .com',
  'Look at 192.0.2.17/now',
  'Write to somebody＠elsewhere',
  'Pay 0x5290\u200b8400098527886e0f7030069857\u2060d2e4169ee7',
  'Pay <b>0x52908400098527886e0f</b>7030069857d2e4169ee7',
  '付到own1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4即可',
  // In groups, with various separators.
  'Pay 1Boa tSLR HtKN gkdX Eeob R76b 53LE TtpyT',
  'Pay bc1q ar0s rrr7 xfkv y5l6 43ly dnw9 re59 gtzz wf5m dq',
  'Pay 0x52 9084 0009 8527 886e 0f70 3006 9857 d2e4 169e e7',
  'Pay 0x52-9084-0009-8527-886e-0f70-3006-9857-d2e4-169e-e7',
  'Pay 0x52\u00a09084\u20090009\u00a08527\u00a0886e\u00a00f70\u00a03006\u00a09857\u00a0d2e4\u00a0169e\u00a0e7',
  'Pay 0x52\n9084\n0009\n8527\n886e\n0f70\n3006\n9857\n169e',
  'Pay 1BoatSL RHtKNng kdXEeobR 76b53LE TtpyT',
  'Pay 1 B o a t S L R H t K N n g k d X E e o b R 7 6 b 5 3 L E',
  'Pay <b>1Boa</b> <b>tSLR</b> <b>HtKN</b> <b>gkdX</b> <b>Eeob</b> <b>R76b</b> <b>53LE</b>',
  '付到 ｂｃ１ｑ　ａｒ０ｓ　ｒｒｒ７　ｘｆｋｖ　ｙ５ｌ６　４３ｌｙ　ｄｎｗ９',
  'Pay DE89 3704 0044 0532 0130 00',
  'Pay GB29NWBK60161331926819',
  '付到ｆａｂ１ｑｗ５０８ｄ６ｑｅｊｘｔｄｇ４ｙ５ｒ３ｚａｒｖａｒｙ',
])('%s is followed or paid to', (text) => {
  expect(sensitiveIn('messages/home', changed(text))).toEqual(['links'])
  // Removing one is a change too.
  expect(sensitiveIn('facts/faq.json', [{ path: 'x', from: text, to: null }])).toEqual(['links'])
})

test.each([
  'A block a minute. Then another one.',
  '70% is mined. 30% was allocated in block 0, on March 20, 2024 at 12:00.',
  '约每 4 年减半。矿工得 31.5，验证人得 3.5。',
  'Wait…done. Then 3…4 blocks, i.e. a few a.m. minutes.',
  '先看说明。再做决定。真的好吗？注意：不要着急。',
  'In 2024 some 70 000 coins were sold at 1 USD each, and 30 more this year in 4 rounds of 5 days.',
  'This text only uses four char word from here till 2024 ends with more such word',
  'SHA-256, RSA-2048, IPv4, IPv6, UTF-8, MP3, H264 and so on are names, not addresses.',
  'Fees begin at 0.000025 {ticker}, e.g. for 250 bytes; see the <link>manual</link>.',
])('%s is read only', (text) => {
  expect(sensitiveIn('messages/home', changed(text))).toEqual([])
})

test.each(['messages/white-paper', 'messages/withdrawals', 'facts/white-paper.json'])(
  'treats a notice required by law as legal text: %s',
  (piece) =>
    expect(sensitiveIn(piece, [{ path: 'isUtility', from: 'true', to: 'false' }])).toEqual(['legal']),
)

test('recognizes the brand, legal texts, and documents by their places', () => {
  expect(sensitiveIn('brand.json', changed('+1', 'phone'))).toEqual(['links'])
  expect(sensitiveIn('brand.json', changed('A tagline', 'tagline.en'))).toEqual([])
  expect(sensitiveIn('brand.json', changed('Legal', 'legalLine.en'))).toEqual(['legal'])
  expect(sensitiveIn('messages/legal', changed('Anything'))).toEqual(['legal'])
  expect(sensitiveIn('documents/brochure', changed('2', 'en.pages'))).toEqual(['links'])
  expect(sensitiveIn('facts/manuals.json', changed('other', 'mining.fileTitle'))).toEqual(['links'])
  expect(sensitiveIn('messages/legal', [])).toEqual([])
  // A sentence that expresses consent is legal text wherever it appears.
  for (const language of ['en', 'cn', 'es'])
    expect(
      sensitiveIn('messages/login', changed('You accept all.', `${language}.login.signup.terms`)),
    ).toEqual(['legal'])
  expect(sensitiveIn('messages/login', changed('Sign up', 'en.login.signup.title'))).toEqual([])
})

test('every text that counts as legal exists', () => {
  for (const key of legalTexts)
    expect(
      Object.keys(login).concat(Object.keys(orders), Object.keys(kyc), Object.keys(ambassador)),
    ).toContain(key)
})

test('checks the longest text quickly', { timeout: 20_000 }, () => {
  for (const part of ['a', 'a.', '1', '1.', 'a1', '。', '汉', '<b>', 'a\u0301'])
    sensitiveIn('messages/home', changed(part.repeat(20_000)))
})
