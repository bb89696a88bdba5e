import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const text = readFileSync(new URL('../../deploy/container/Containerfile', import.meta.url), 'utf8')
const lines = text.split('\n').filter((line) => !line.startsWith('#'))

test('the image has the release in one layer', () => {
  const lastStage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
  // A layer that moves files or changes their modes would contain the release a second time.
  expect(lastStage.filter((line) => line.includes('/opt/coin') && /^(?:ADD|COPY|RUN)\b/.test(line))).toEqual([
    'COPY --from=release /opt/coin /opt/coin',
  ])
  expect(lastStage.filter((line) => /^(?:ADD|RUN (?:mv|chmod|chown))\b/.test(line))).toEqual([])
})

test('an outage of the database restarts no container', () => {
  const check = lines.find((line) => line.includes('fetch('))
  expect(check).toContain('/v2/health')
  expect(check).not.toContain('/v2/ready')
})
