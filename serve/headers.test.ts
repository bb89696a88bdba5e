import { expect, test } from 'vitest'
import { headersInVain, securityHeaders } from './headers.ts'

const all = securityHeaders({
  publicUrl: new URL('https://coin.example'),
  endpointBase: '/v2/',
  isProduction: true,
  strictTransport: 'max-age=1',
})
const headersOf = (file: string) => Object.keys(all).filter((name) => !headersInVain(file).includes(name))

test.each(['home-page-abcdef1.js', 'entry-abcdef1.css', 'newsreader-abcdef1.woff2'])(
  '%s lacks the headers that only documents heed',
  (file) =>
    expect(headersOf(file)).toEqual([
      'strict-transport-security',
      'x-content-type-options',
      'cross-origin-resource-policy',
    ]),
)

test.each(['worker-solver-abcdef1.js', 'work-solver-abcdef1.js', 'mark-abcdef1.svg', 'x-abcdef1.webp'])(
  '%s has all headers, because it may run or be opened on its own',
  (file) => expect(headersOf(file)).toEqual(Object.keys(all)),
)
