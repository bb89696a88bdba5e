// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { announcementFields } from '#contract/publishing/announcements.ts'
import { applyAsAmbassador } from '#contract/people/ambassadors.ts'
import { decimal } from '#contract/platform/decimal.ts'
import { atLeast, email, line, newPassword, phone, requiredLine, text } from '#contract/platform/fields.ts'
import { ownFields } from '#contract/people/members.ts'
import { ProfileForm } from '#web/accounts/profile/profile-form.tsx'
import { show, showPage } from '#tests/setup/show.tsx'
import { boundsOf, fieldOf, isRequired } from './field-bounds.ts'
import { FormInput } from './form-input.tsx'
import { repeated, sameAs } from './repeated-password.ts'

describe('a schema defines', () => {
  test.each<[string, z.ZodMiniType, object]>([
    ['how long a line is', line(100), { maxLength: 100 }],
    ['how long an optional line is', z.optional(line(100)), { maxLength: 100 }],
    ['how long a text is', z._default(text(2000), ''), { maxLength: 2000 }],
    ['the lengths of a password', newPassword, { minLength: 5 }],
    ['the length of a longer password', newPassword.check(atLeast(12)), { minLength: 12 }],
    ['that it is an address', email, { type: 'email', inputMode: 'email', maxLength: 254 }],
    ['the same of one that may be empty', ownFields.workEmail, boundsOf(email)],
    ['that it is a phone', phone, { type: 'tel', inputMode: 'tel', maxLength: 40 }],
    ['that it is a number', decimal, { inputMode: 'decimal', maxLength: 39 }],
    ['how long several in one line are', z.array(line(50)).check(z.maxLength(3)), { maxLength: 156 }],
    ['nothing of what is not typed', z.optional(z.boolean()), {}],
  ])('%s', (_, schema, bounds) => {
    expect(boundsOf(schema)).toEqual(bounds)
  })

  test('which fields are required', () => {
    expect([line(5), z.optional(line(5)), text(5), ownFields.workEmail].map(isRequired)).not.toContain(true)
    expect([requiredLine(5), email, z.optional(email), newPassword, decimal].map(isRequired)).not.toContain(
      false,
    )
  })

  test('the fields of a form, even with rules between them or a transformed body', () => {
    const form = z.object({ first: newPassword, second: repeated }).check(sameAs('first', 'second'))
    const sent = z.pipe(
      form,
      z.transform(({ first }) => first),
    )
    for (const schema of [form, sent]) expect(fieldOf(schema, 'second')).toBe(repeated)
    expect(() => fieldOf(form, 'third')).toThrow('third')
  })

  test('every text field of the contract has a maximum length', () => {
    const { socialMedia, ...one } = applyAsAmbassador.body.shape
    const { title } = announcementFields
    const { personalMember: _, ...typed } = ownFields
    for (const field of Object.values<z.ZodMiniType>({ socialMedia, ...one, title, ...typed }))
      expect(boundsOf(field).maxLength).toBeGreaterThan(0)
  })
})

/**
 * Passwords and multi-line texts have no `maxlength`, because browsers would silently truncate pasted text. They show
 * an error instead.
 */
function expectBounded(least: number) {
  const fields = screen.getAllByRole<HTMLInputElement>('textbox').filter(({ tagName }) => tagName === 'INPUT')
  expect(fields.length).toBeGreaterThanOrEqual(least)
  for (const { name, maxLength } of fields) expect([name, maxLength > 0]).toEqual([name, true])
}

test.each([
  ['/login/signin', 1],
  ['/login/signup', 1],
  ['/login/reset', 1],
  ['/login/activate', 2],
])("every line of %s ends at its schema's limit", async (path, fields) => {
  await showPage(path)
  expectBounded(fields)
})

test("every line of the profile ends at its schema's limit", () => {
  const names = Object.keys(ownFields) as (keyof typeof ownFields)[]
  const draft = { ...Object.fromEntries(names.map((name) => [name, ''])), personalMember: true }
  show(<ProfileForm draft={draft as never} onSubmit={async () => {}} onCancel={() => {}} />)
  expectBounded(names.length - 1)
})

test('a bound written at a field does not compile', () => {
  const fields = (of: never) => [
    <FormInput key="a" of={of} name="a" autoComplete="off" />,
    // @ts-expect-error the schema defines it
    <FormInput key="b" of={of} name="a" maxLength={5} />,
    // @ts-expect-error the schema defines it
    <FormInput key="c" of={of} name="a" type="email" />,
  ]
  expect(fields).toBeTypeOf('function')
})
