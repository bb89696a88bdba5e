import { expect, test } from 'vitest'
import { say } from './print-message.ts'

function said(environment: Record<string, string>, isTTY: boolean): string {
  let text = ''
  say('refused', 'The setting PORT must be "a number".', {
    environment,
    stream: { isTTY, write: (part) => (text += part) },
  })
  return text
}

test('in production prints a JSON line with its reason', () => {
  for (const environment of [{ NODE_ENV: 'production' }, { DATABASE_URL: 'postgres://x/y' }]) {
    const text = said(environment, false)
    expect(text.endsWith('}\n')).toBe(true)
    expect(JSON.parse(text)).toEqual({
      level: 60,
      time: expect.any(Number),
      reason: 'refused',
      msg: 'The setting PORT must be "a number".',
    })
  }
})

test('at a terminal or on a local machine prints a sentence', () => {
  const sentence = 'The setting PORT must be "a number".\n'
  expect(said({ NODE_ENV: 'production' }, true)).toBe(sentence)
  expect(said({}, false)).toBe(sentence)
  expect(said({ NODE_ENV: 'development', DATABASE_URL: 'postgres://x/y' }, false)).toBe(sentence)
})
