import { expect, test } from 'vitest'
import { name } from '#content/brand.json'
import ambassadors from '#content/facts/ambassadors.json'
import { getAmbassador, type AmbassadorPage } from '#contract/people/ambassador-profiles.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { answeringContent } from '#tests/setup/site-content.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { Call } from '#web/kernel/call/call.ts'
import { render } from '#web/entry.server.tsx'

const person: AmbassadorPage = {
  slug: 'sample-person',
  name: { en: 'Sample Person', cn: '样本人物' },
  since: '2026-05-01T10:00:00.000Z',
  endedAt: null,
  profile: {
    place: { en: 'Oslo, Norway', cn: '挪威奥斯陆' },
    sentence: { en: 'I run a meeting.', cn: '我组织聚会。' },
    languages: ['en', 'no'],
    link: 'https://social.example/sample',
    photo: '/assets/media/ambassadors/0-512.webp',
  },
}

async function pageOf(slug: string, known: AmbassadorPage | null, language: Language = 'en') {
  const call = answeringContent(((endpoint: Endpoint) =>
    endpoint === getAmbassador && known
      ? Promise.resolve(known)
      : Promise.reject(Object.assign(new Error('gone'), { status: 404 }))) as Call)
  const { status, html } = await render({
    path: language === 'cn' ? `/cn/ambassadors/${slug}` : `/ambassadors/${slug}`,
    language,
    call,
    origin: 'https://coin.example',
    appId: defaultAppId,
    filesOf: () => ({ languageCheck: '', entry: '', page: '', styles: [], modules: [], fonts: [] }),
  })
  const text = html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '{}'
  return { status, html, text, things: JSON.stringify(JSON.parse(data)) }
}

test('says since when someone is an ambassador, without JavaScript, in both languages', async () => {
  const english = await pageOf('sample-person', person)
  expect(english.status).toBe(200)
  expect(english.text).toContain(`Sample Person has been a ${name} ambassador since May 1, 2026.`)
  expect(english.text).toContain('English, Norwegian')
  expect(english.html).toContain(`<title>Sample Person · ${name}</title>`)
  expect(english.html).toContain(
    'hreflang="zh-Hans" href="https://coin.example/cn/ambassadors/sample-person"',
  )
  expect(english.html).toContain('href="https://social.example/sample"')
  expect(english.things).toContain('"@type":"ProfilePage"')
  expect(english.things).toContain('"image":"https://coin.example/assets/media/ambassadors/0-512.webp"')
  const chinese = await pageOf('sample-person', person, 'cn')
  expect(chinese.text).toContain(`样本人物自 2026 年 5 月 1 日起担任 ${name} 大使。`)
})

test('says that a former ambassador is none, and is kept out of search engines', async () => {
  const { text, html, things } = await pageOf('sample-person', {
    ...person,
    endedAt: '2026-10-01T10:00:00.000Z',
    profile: null,
  })
  expect(text).toContain(`Sample Person is no longer a ${name} ambassador.`)
  expect(text).toContain('October 1, 2026')
  expect(html).toContain('content="noindex"')
  expect(things).toBe('{}')
})

test('a hidden profile leaves the name and start date', async () => {
  const { text, html } = await pageOf('sample-person', { ...person, profile: null })
  expect(text).toContain(`has been a ${name} ambassador`)
  expect(text).not.toContain('Oslo')
  expect(html).toContain('content="noindex"')
})

test('ambassadors of the project’s own list have a page, too', async () => {
  const [listed] = ambassadors
  const { status, text, html } = await pageOf(listed!.id, null)
  expect(status).toBe(200)
  expect(text).toContain(`${listed!.en.name} has been a ${name} ambassador since `)
  // Search engines must not take an invented person for a real one.
  expect(html.includes('content="noindex"')).toBe('note' in listed! && listed.note === 'sample')
  expect((await pageOf('sample-person', person)).html).not.toContain('content="noindex"')
})

test('an unknown address says that there is no such ambassador, with status 404', async () => {
  const { status, text, html } = await pageOf('nobody', null)
  expect(status).toBe(404)
  expect(text).toContain('Ambassador not found')
  expect(html).toContain('content="noindex"')
  expect((await pageOf('nobody', null, 'cn')).text).toContain('没有这位大使')
})

test("if the list can't be read, denies nobody's status", async () => {
  const failing = answeringContent(() =>
    Promise.reject(Object.assign(new Error('no database'), { status: 503 })),
  )
  const { status, html } = await render({
    path: '/ambassadors/sample-person',
    language: 'en',
    call: failing,
    origin: 'https://coin.example',
    appId: defaultAppId,
    filesOf: () => ({ languageCheck: '', entry: '', page: '', styles: [], modules: [], fonts: [] }),
  })
  expect(status).toBe(503)
  expect(html).not.toContain('>Ambassador not found<')
})
