// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ownFields, type User } from '#contract/people/members.ts'
import { show } from '#tests/setup/show.tsx'
import { ProfileForm } from './profile-form.tsx'
import { ProfileView } from './profile-view.tsx'

const names = Object.keys(ownFields) as (keyof typeof ownFields)[]

/** Every field is rendered with its name, except the checkbox. */
const saved = {
  ...Object.fromEntries(names.map((name) => [name, `the ${name}`])),
  personalMember: true,
  memberSince: '2026-01-02T03:04:05.000Z',
  lastUpdated: '2026-01-02T03:04:05.000Z',
} as unknown as User

test('the form has every field that a member can change', () => {
  show(<ProfileForm draft={saved} onSubmit={async () => {}} onCancel={() => {}} />)
  const controls = [...screen.getAllByRole<HTMLInputElement>('textbox'), screen.getByRole('checkbox')]
  expect(controls.map((control) => control.getAttribute('name')).toSorted()).toEqual(names.toSorted())
})

test('the profile shows every field that a member can change', () => {
  show(<ProfileView user={saved} />)
  const shown = screen.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(shown).toEqual(
    expect.arrayContaining(names.filter((name) => name !== 'personalMember').map((name) => `the ${name}`)),
  )
  expect(shown).toContain('Yes')
})
