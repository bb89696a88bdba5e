import { expect, test } from 'vitest'
import roadmap from '#content/facts/roadmap.json' with { type: 'json' }
import partners from '#content/facts/partners.json' with { type: 'json' }
import team from '#content/facts/team.json' with { type: 'json' }
import { comparePlaceholders } from './check-messages.ts'
import { checkSchema } from './check-schema.ts'
import { factSchemas } from './fact-schemas.ts'
import type { Found } from './problem.ts'
import { problemMessage } from './say-problem.ts'

const [milestone] = roadmap as [(typeof roadmap)[number]]
const [partner] = partners as [(typeof partners)[number]]
const [group] = team as [(typeof team)[number]]
const [person] = group.members as [(typeof group.members)[number]]
const found = (file: keyof typeof factSchemas, value: unknown): readonly Found[] =>
  checkSchema(file, factSchemas[file], value).found
const withMember = (changes: object) =>
  found('facts/team.json', [{ ...group, members: [{ ...person, ...changes }] }])

test.each<[string, readonly Found[], string]>([
  [
    'no placeholder',
    comparePlaceholders('messages/cn/home.json', 'home.some', 'In {count}', '日'),
    '占位符不一致：此处为 无，英文为 {count}，请修改其中一处',
  ],
  [
    'states in the wrong order',
    found('facts/roadmap.json', [
      { ...milestone, id: 'a', date: '2027-01', state: 'next' },
      { ...milestone, id: 'b', date: '2027-02', state: 'done' },
    ]),
    '状态为“已完成”的条目排在了“计划中”之后',
  ],
  ['no number', found('facts/partners.json', [{ ...partner, seed: 'x' }]), '须为页面可显示范围内的数字'],
  [
    'a number too small',
    found('facts/partners.json', [{ ...partner, seed: -1 }]),
    '须为页面可显示范围内的数字',
  ],
  [
    'no choice',
    found('facts/roadmap.json', [{ ...milestone, state: 'soon' }]),
    '须为以下之一：done, current, next',
  ],
  [
    'too few lines',
    found('facts/technical-help.json', [
      { id: 'a', en: { question: 'Why?', answer: ['So.'] }, cn: { question: '为何？', answer: [] } },
    ]),
    '至少要有 1 项',
  ],
  [
    'too many lines',
    withMember({ cn: { ...person.cn, skills: Array(25).fill('领航') } }),
    '最多只能有 24 项',
  ],
  [
    'a field that nobody knows',
    found('facts/partners.json', [{ ...partner, html: 'x' }]),
    '含有未知字段：html',
  ],
  [
    'no day',
    found('facts/ambassadors.json', [
      { id: 'a', since: 'soon', en: { name: 'A', location: 'B' }, cn: { name: '甲', location: '乙' } },
    ]),
    '须为日期，例如 2026-11-22',
  ],
])('of %s the Chinese sentence is Chinese', (_, problems, sentence) => {
  expect(problems.map((each) => problemMessage(each).words.cn)).toEqual([sentence])
})
