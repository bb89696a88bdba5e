import { expect, test } from 'vitest'
import { socialMediaMax } from '#contract/people/ambassadors.ts'
import { application } from './application-section.tsx'

const filled = {
  email: 'Ada@Example.org',
  name: ' Ada Sample ',
  city: 'Cork',
  country: 'Ireland',
  social: '',
  why: '',
}

test('turns the fields into the body of the call', () => {
  expect(
    application.parse({ ...filled, social: '@ada, https://example.org/ada', why: 'Evening classes.' }),
  ).toEqual({
    email: 'ada@example.org',
    fullName: 'Ada Sample',
    city: 'Cork',
    country: 'Ireland',
    socialMedia: ['@ada', 'https://example.org/ada'],
    description: 'Evening classes.',
  })
})

test.each([
  ['@a，@b、@c', ['@a', '@b', '@c']],
  [' , @a,, ', ['@a']],
  ['', []],
])('splits the social media names %j into %j', (social, names) => {
  expect(application.parse({ ...filled, social }).socialMedia).toEqual(names)
})

test.each(['email', 'name', 'city', 'country'] as const)(
  'without %s it is refused at that field',
  (field) => {
    const result = application.safeParse({ ...filled, [field]: ' ' })
    expect(result.error?.issues.map(({ path, message }) => [path[0], message])).toContainEqual([
      field,
      'required',
    ])
  },
)

test('too many names are refused at their field', () => {
  const social = Array.from({ length: socialMediaMax + 1 }, (_, at) => `@${at}`).join(',')
  expect(application.safeParse({ ...filled, social }).error?.issues[0]?.path[0]).toBe('social')
})
