import { expect, onTestFinished, test } from 'vitest'
import brand from '#content/brand.json' with { type: 'json' }
import cn from '#content/emails/cn.json' with { type: 'json' }
import en from '#content/emails/en.json' with { type: 'json' }
import { isAlwaysKnown, setContact, type Values } from '../text/fill.ts'
import { mailKinds, type MailKind, type MailValue } from './mail-kinds.ts'
import { attachmentsOf } from './mail-logo.ts'
import { renderMail, setOfficialPage } from './render-mail.ts'

const kinds = Object.keys(en).filter((key) => typeof en[key as keyof typeof en] !== 'string') as MailKind[]
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
    expect(html).not.toMatch(/<script|<link|\son\w+=|url\(|@import/i)
    // The only picture is part of the email.
    expect([...html.matchAll(/src="([^"]+)"/g)].map(([, src]) => src)).toEqual(['cid:logo@mail'])
    const written = en[kind]
    expect(text.includes(values.link)).toBe(written.button !== '')
    expect(html.includes('href="https://coin.example/a?b=1&amp;c=2"')).toBe(written.button !== '')
  }
})

test('the reference of an order is kept in one piece in the title', () => {
  const { html, subject } = renderMail('order-completed', 'en', { ...values, reference: 'COIN-12345-6789A' })
  expect(subject).toContain('COIN-12345-6789A')
  expect(html).toMatch(/<h1[^>]*>[^<]*<span[^>]+white-space:nowrap[^>]*>COIN-12345-6789A<\/span>/)
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

test('both parts of every email link to channel verification, in every language', () => {
  onTestFinished(() => setOfficialPage(() => ''))
  setOfficialPage((language) => `https://coin.example${language === 'cn' ? '/cn' : ''}/official`)
  for (const [language, page] of [
    ['en', 'https://coin.example/official'],
    ['cn', 'https://coin.example/cn/official'],
  ] as const)
    for (const kind of kinds) {
      const { text, html } = renderMail(kind, language, values)
      expect(text.split(page)).toHaveLength(2)
      expect(html.split(`href="${page}"`)).toHaveLength(2)
    }
})

test('the preview in inboxes contains text, but no greeting, code, or link', () => {
  const preheader = (html: string) => /<div style="display:none[^>]*>([^&<]*)/.exec(html)![1]!
  for (const language of ['en', 'cn'] as const)
    for (const kind of kinds) {
      const code = 'Qx7-code-Qx7'
      const { html } = renderMail(kind, language, { ...values, code })
      const shown = preheader(html)
      expect([...shown].length).toBeGreaterThan(8)
      expect([...shown].length).toBeLessThanOrEqual(121)
      expect(shown).not.toMatch(/https?:|Qx7|^Hello|^你好/)
    }
})

test('a label and its value form a table row, a code stands out, and the plain text has the same lines', () => {
  const mail = renderMail('order-refunded', 'en', {
    address: '0x52908400098527886E0F7030069857D2E4169EE7',
    amount: '1.5 ETH',
    date: '2036-05-01',
    link: 'https://coin.example/order',
    reason: 'First line\nSecond line',
    reference: 'SAMPLE42',
    transaction: `0x${'5a'.repeat(32)}`,
    withdrawal: 'SAMPLE43',
  })
  const rows = [...mail.html.matchAll(/<td class="fact"[^>]*>(.*?)<\/td>/g)].map(([, cell]) =>
    cell!.replaceAll('<br>', '|').replaceAll(/<[^>]+>/g, ''),
  )
  expect(rows).toContain('Amount|1.5 ETH')
  expect(rows).toContain(`Transaction ID|0x${'5a'.repeat(32)}`)
  expect(rows).toContain('Note|First line|Second line')
  // An ID may break anywhere, because it is one long word.
  expect(mail.html).toMatch(/<span class="exact" style="[^"]*word-break:break-all[^"]*">0x5a/)
  expect(mail.text).toContain(`Transaction ID: 0x${'5a'.repeat(32)}`)
  expect(renderMail('activation', 'en', { code: 'CODE-12', link: 'https://coin.example/a' }).html).toMatch(
    /<p class="code" style="[^"]+">CODE-12<\/p>/,
  )
})

test('the period after an address is not part of the link', () => {
  onTestFinished(() => setContact(brand.email))
  setContact('https://coin.example/contact')
  const { html } = renderMail('account-closed', 'en', {})
  expect(html).toContain('https://coin.example/contact</a>.')
})

test('a button is a table cell with its own color, which Outlook supports', () => {
  const { html } = renderMail('kyc-approved', 'en', { link: 'https://coin.example/a' })
  expect(html).toMatch(/<td class="press" style="[^"]*background:#[^"]*mso-padding-alt[^"]*"><a href=/)
})

test('dark mode colors do not depend on inline styles', () => {
  const { html } = renderMail('kyc-approved', 'en', { link: 'https://coin.example/a' })
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  const dark = /@media \(prefers-color-scheme:dark\)\{(.*?)<\/style>/.exec(html)![1]!
  for (const [, rule] of dark.matchAll(/\{([^{}]*)\}/g)) expect(rule).toMatch(/!important$/)
  for (const part of ['card', 'button', 'link', 'footer']) expect(dark).toContain(`.${part}`)
})

test('attaches the logo to each email that shows it', () => {
  const { html } = renderMail('kyc-approved', 'en', { link: 'https://coin.example/a' })
  expect(attachmentsOf(html)).toMatchObject([{ cid: 'logo@mail', contentDisposition: 'inline' }])
  expect(attachmentsOf('<p>Written by an earlier release</p>')).toEqual([])
})
