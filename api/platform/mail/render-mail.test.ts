import { expect, test } from 'vitest'
import brand from '#content/brand.json' with { type: 'json' }
import cn from '#content/emails/cn.json' with { type: 'json' }
import en from '#content/emails/en.json' with { type: 'json' }
import { isAlwaysKnown, type Values } from '../text/fill.ts'
import { mailKinds, type MailKind, type MailValue } from './mail-kinds.ts'
import { renderMail } from './render-mail.ts'

const kinds = Object.keys(en).filter(
  (key) => !/^(greeting|signature|footer.*|phrase)$/.test(key),
) as MailKind[]
/** A value for every placeholder of any email. */
const placeholders = [...JSON.stringify(en).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
const values = {
  ...Object.fromEntries(placeholders.map((name) => [name, `12 ${name}`])),
  link: 'https://coin.example/a?b=1&c=2',
  resetLink: 'https://coin.example/login/reset',
} as Values<MailValue<MailKind>> & { link: string }

/** The values that the texts of an email take, in the order of their appearance. */
function placeholdersOf(kind: MailKind, language: 'en' | 'cn'): string[] {
  const { subject, before, button, after } = { en, cn }[language][kind]
  const sentences = [subject, ...before, button, ...after].join(' ')
  const names = [...sentences.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name!)
    .filter((name) => !isAlwaysKnown(name))
  return button ? [...names, 'link'] : names
}

test.each(kinds)('the texts of %s take the declared values', (kind) => {
  const declared = [...mailKinds[kind].values].toSorted()
  for (const language of ['en', 'cn'] as const)
    expect([...new Set(placeholdersOf(kind, language))].toSorted()).toEqual(declared)
})

test('both languages have the same emails', () => {
  expect(Object.keys(cn)).toEqual(Object.keys(en))
})

test.each(kinds)('%s is complete in both languages', (kind) => {
  for (const language of ['en', 'cn'] as const) {
    const { subject, text, html } = renderMail(kind, language, values)
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/\{\w+\}|undefined|\[object/)
      expect(/\p{Script=Han}/u.test(part)).toBe(language === 'cn')
    }
    expect(subject).not.toMatch(/[\r\n]/)
    expect(subject.length).toBeLessThanOrEqual(70)
    expect(html).toContain(`<html lang="${language === 'cn' ? 'zh-Hans' : 'en'}">`)
    expect(html).not.toMatch(/<script|<img|<link|\son\w+=|src=/i)
    const written = en[kind]
    expect(text.includes(values.link)).toBe(written.button !== '')
    expect(html.includes('href="https://coin.example/a?b=1&amp;c=2"')).toBe(written.button !== '')
  }
})

test('values are text, never markup, and never a header', () => {
  const hostile = { link: 'https://coin.example/"><script>alert(1)</script>', code: '<b>&\r\nBcc: x' }
  const { html, text, subject } = renderMail('activation', 'en', hostile)
  expect(html).not.toMatch(/<script|<b>/)
  expect(text).toContain('<b>&')
  expect(subject).not.toMatch(/[\r\n]/)
  expect(html).toContain(brand.name)
})

test('a missing value is an error, even if the types are bypassed', () => {
  expect(() => renderMail('activation', 'en', { link: 'x' } as never)).toThrow('{code}')
  expect(() => renderMail('activation', 'en', { code: 'x' } as never)).toThrow('{link}')
})

test("a value can't insert another value", () => {
  const { text } = renderMail('activation', 'en', { link: 'x', code: '{contact} {link}' })
  expect(text).toContain('{contact} {link}')
})

test.each([
  ['Win at evil.example/login', 'evil.example'],
  ['https://evil.example', '://evil'],
  ['www.evil.example', 'www.evil'],
  ['evil．example', 'evil．example'],
  ['support@evil.example', 'support@evil'],
  ['<a href="https://evil.example">Click</a>', '://evil'],
])('a name such as %j never becomes a link', (name, lure) => {
  for (const language of ['en', 'cn'] as const) {
    const mail = renderMail('passkey-added', language, {
      name,
      resetLink: 'https://coin.example/login/reset',
    })
    for (const part of [mail.subject, mail.text, mail.html]) expect(part).not.toContain(lure)
    expect([...mail.html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      'https://coin.example/login/reset',
    ])
  }
})

test('every link that an email needs is a link', () => {
  const url = 'https://coin.example/a/b'
  for (const language of ['en', 'cn'] as const)
    for (const kind of kinds) {
      const names = placeholdersOf(kind, language)
      const values = Object.fromEntries(
        names.map((name) => [name, /link$|guide/i.test(name) ? url : 'value']),
      )
      const { text } = renderMail(kind, language, values as never)
      expect(text.split(url).length - 1).toBe(names.filter((name) => /link$|guide/i.test(name)).length)
    }
})

test('names with a mere period stay readable, and our own links stay links', () => {
  const mail = renderMail('new-sign-in', 'en', {
    device: 'Firefox 128.0 on J. R. Laptop v2.0',
    place: '192.0.2.1',
    time: '2026-11-22 10:00 UTC',
    resetLink: 'https://coin.example/login/reset',
  })
  for (const line of [
    'Device: Firefox 128.0 on J. R. Laptop v2.0',
    'IP address: 192.0.2.1',
    'Time: 2026-11-22 10:00 UTC',
  ])
    expect(mail.text).toContain(line)
  expect(mail.html).toContain('<a href="https://coin.example/login/reset"')
})

test('in a Chinese email, a Chinese value has no spaces around it, and a Latin value keeps them', () => {
  const values = { name: '样本会员', email: 'own@example.org', link: 'https://coin.example/a' }
  const changedBy = (by: string) => renderMail('rights-changed-by', 'cn', { ...values, by }).text
  expect(changedBy('样本管理员')).toContain('\n样本管理员更改了样本会员（own')
  expect(changedBy('Ada')).toContain('\nAda 更改了样本会员（own')
})
