import { expect, test } from 'vitest'
import { youtubeFailure } from './youtube-messages.ts'

test.each([
  [2, 'invalidAddress'],
  [100, 'notFound'],
  [101, 'notEmbeddable'],
  [150, 'notEmbeddable'],
  [5, 'failed'],
  [153, 'failed'],
])('error %i of the player means %s', (info, failure) => {
  expect(youtubeFailure(JSON.stringify({ event: 'onError', info, id: 'player' }))).toBe(failure)
})

test.each([
  ['another event', JSON.stringify({ event: 'onReady', info: 100 })],
  ['no event', JSON.stringify({ info: 100 })],
  ['no JSON', 'onError'],
  ['no object', 'null'],
  ['no text', { event: 'onError', info: 100 }],
])('%s is not a failure', (_, message) => {
  expect(youtubeFailure(message)).toBeNull()
})
