import type { api } from '#contract/api.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { Values } from '../../text/fill.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { covered } from '../redact-values.ts'
import { isMailKind, mailKinds, type MailKind, type MailValue } from '../mail-kinds.ts'
import { allMailKinds, renderMail, type RenderedMail } from '../render-mail.ts'
import { isAboutFinance } from './mail-scope.ts'
import { titleOf } from './present-mail.ts'

type Sample = string | number | Readonly<Record<Language, string>>

/** Obvious sample values. Placeholders without one show their names. */
const samples: { readonly [Name in MailValue<MailKind>]?: Sample } = {
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  amount: '1.5 ETH',
  changes: { en: 'Amount: 1.5 → 2', cn: '金额: 1.5 → 2' },
  code: 'SAMPLE-CODE-1234',
  count: 5,
  date: '2036-05-01',
  deadline: '2036-05-01 10:00 UTC',
  choice: { en: 'News, Events\nOnce a week\nEnglish', cn: '新闻、活动\n每周一次\n中文' },
  device: { en: 'Sample browser on a sample computer', cn: '示例电脑上的示例浏览器' },
  email: 'sample@example.org',
  excerpt: { en: 'The beginning of a sample post.', cn: '示例公告的开头。' },
  guide: 'https://coin.example/verify-a-post.txt',
  keyId: '0123456789abcdef',
  left: 9,
  max: 20,
  min: 12,
  name: { en: 'Sample Person', cn: '示例会员' },
  place: '192.0.2.1',
  posts: {
    en: 'A sample post\n2036-05-01 · 0123456789abcdef\nhttps://coin.example/news/sample',
    cn: '示例公告\n2036-05-01 · 0123456789abcdef\nhttps://coin.example/cn/news/sample',
  },
  postTitle: { en: 'A sample post', cn: '示例公告' },
  quantity: '6000',
  reason: { en: 'A sample reason.', cn: '这是一条示例理由。' },
  reference: 'SAMPLE42',
  time: '2036-05-01 10:00 UTC',
  transaction: '0x5a3d…sample',
}

/** `sample`: with sample values. `blank`: with a mark in place of values. */
export function renderTemplate(
  kind: MailKind,
  language: Language,
  fillWith: 'sample' | 'blank',
): RenderedMail {
  const valueOf = (name: MailValue<MailKind>): string | number => {
    if (fillWith === 'blank') return covered
    const sample = samples[name] ?? name
    return typeof sample === 'object' ? sample[language] : sample
  }
  const values = Object.fromEntries(mailKinds[kind].values.map((name) => [name, valueOf(name)]))
  return renderMail(kind, language, values as Values<MailValue<MailKind>>, { look: 'frame' })
}

export const listMailTemplates: Handler<typeof api.listMailTemplates> = async (_, { request }) =>
  allMailKinds.map((kind) => ({
    kind,
    title: titleOf(kind, request.language),
    isAboutFinance: isAboutFinance(kind),
  }))

export const getMailTemplate: Handler<typeof api.getMailTemplate> = async ({ params: { kind } }) => {
  if (!isMailKind(kind)) throw new Refused('not_found')
  return {
    kind,
    en: renderTemplate(kind, 'en', 'sample'),
    cn: renderTemplate(kind, 'cn', 'sample'),
  }
}
