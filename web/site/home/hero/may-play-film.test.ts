import { expect, test } from 'vitest'
import { type Client, mayPlayFilm } from './use-film-permission.ts'

const desktop: Client = { width: 1280, prefersLessMotion: false, savesData: false }

test.each<[string, Partial<Client>]>([
  ['a wide screen', {}],
  ['the narrowest wide screen', { width: 960 }],
  ['a connection not measured yet', { effectiveType: '4g', downlink: 1.5 }],
])('the hero film plays on %s', (_, given) => {
  expect(mayPlayFilm({ ...desktop, ...given })).toBe(true)
})

test.each<[string, Partial<Client>]>([
  ['a narrow screen', { width: 959 }],
  ['a wish for less motion', { prefersLessMotion: true }],
  ['a wish to save data', { savesData: true }],
  ['a slow connection', { effectiveType: '3g' }],
  ['a thin connection', { effectiveType: '4g', downlink: 0.9 }],
])('the hero film does not play with %s', (_, given) => {
  expect(mayPlayFilm({ ...desktop, ...given })).toBe(false)
})
