// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { show } from '#tests/setup/show.tsx'
import { Button, ButtonLink } from './button.tsx'
import { Facts } from './description-list.tsx'
import { Checkbox, PasswordField, Select, TextArea, TextField } from './field.tsx'
import { FormStatus } from './form-status.tsx'
import { LinkTabs } from './link-tabs.tsx'
import { SanitizedHtml } from '../../announcements/post-body.tsx'
import { Table } from './table.tsx'

const words = { show: 'Show', hide: 'Hide', showNamed: 'Show password', hideNamed: 'Hide password' }

test('a field ties its label, its help, and its error to the control', () => {
  show(<TextField id="mail" label="E-mail" help="Ours only" error="Required" name="email" />)
  const field = screen.getByRole('textbox', { name: 'E-mail' })
  expect(field).toHaveAttribute('id', 'mail')
  expect(field).toHaveAttribute('name', 'email')
  expect(field).toHaveAttribute('aria-invalid', 'true')
  // The error matters most, so it is read before the help text.
  expect(field).toHaveAccessibleDescription('Required Ours only')
})

test('a valid field has neither the invalid state nor an error description, but its error line exists', () => {
  const { container } = show(<TextField id="mail" label="E-mail" />)
  const field = screen.getByRole('textbox', { name: 'E-mail' })
  expect(field).not.toHaveAttribute('aria-invalid')
  expect(field).not.toHaveAttribute('aria-describedby')
  const line = container.querySelector('#mail-error')
  expect(line).toHaveAttribute('aria-live', 'polite')
  expect(line).toBeEmptyDOMElement()
})

test.each<[role: string, control: ReactNode]>([
  ['textbox', <TextArea key="a" id="x" label="Why" />],
  [
    'combobox',
    <Select key="b" id="x" label="Why">
      <option>a</option>
    </Select>,
  ],
  ['checkbox', <Checkbox key="c" id="x" label="Why" />],
])('every kind of control is labelled: %s', (role, control) => {
  show(control)
  expect(screen.getByRole(role, { name: 'Why' })).toHaveAttribute('id', 'x')
})

test('a password is hidden at first, names its purpose, and its button names the field', async () => {
  const { user } = show(
    <PasswordField id="x" label="Password" words={words} autoComplete="current-password" />,
  )
  const field = screen.getByLabelText('Password')
  expect(field).toHaveAttribute('type', 'password')
  expect(field).toHaveAttribute('autocomplete', 'current-password')
  const button = screen.getByRole('button', { name: 'Show password' })
  expect(button).toHaveTextContent('Show')
  expect(button).toHaveAttribute('type', 'button')
  await user.type(field, 'secret')
  await user.click(button)
  expect(field).toHaveAttribute('type', 'text')
  expect(field).toHaveValue('secret')
  expect(screen.getByRole('button', { name: 'Hide password' })).toHaveTextContent('Hide')
})

test('a busy button ignores clicks, says what it does, and tells screen readers', async () => {
  let clicks = 0
  const { user } = show(
    <Button busy busyLabel="Saving…" onClick={() => (clicks += 1)}>
      Save
    </Button>,
  )
  const button = screen.getByRole('button', { name: 'Saving…' })
  expect(button).toBeDisabled()
  expect(button).toHaveAttribute('aria-busy', 'true')
  await user.click(button)
  expect(clicks).toBe(0)
})

test('a button submits a form only if told to, and a link is a link', () => {
  show(
    <>
      <Button>Open</Button>
      <Button type="submit">Send</Button>
      <ButtonLink href="/news">News</ButtonLink>
    </>,
  )
  expect(screen.getByRole('button', { name: 'Open' })).toHaveAttribute('type', 'button')
  expect(screen.getByRole('button', { name: 'Send' })).toHaveAttribute('type', 'submit')
  expect(screen.getByRole('link', { name: 'News' })).toHaveAttribute('href', '/news')
})

test('the status lines of a form exist before they have text', () => {
  const { container } = show(<FormStatus id="still" />)
  expect(screen.getByRole('alert')).toBeEmptyDOMElement()
  expect(container.querySelector('#still')).toHaveAttribute('aria-live', 'polite')
})

test('a table keeps its roles and gives every cell its heading', () => {
  show(
    <Table
      caption="Orders"
      columns={[{ name: 'amount', heading: 'Amount', cell: (row: { amount: number }) => row.amount }]}
      rows={[{ amount: 3 }]}
      rowKey={() => 'a'}
    />,
  )
  expect(screen.getByRole('table', { name: 'Orders' })).toBeVisible()
  expect(screen.getByRole('columnheader', { name: 'Amount' })).toBeVisible()
  const cell = screen.getByRole('cell', { name: '3' })
  expect(cell).toHaveAttribute('role', 'cell')
  expect(cell).toHaveAttribute('data-heading', 'Amount')
})

test('facts are a list of terms', () => {
  show(<Facts facts={[{ name: 'a', label: 'Since', value: '2026' }]} />)
  expect(screen.getByRole('term')).toHaveTextContent('Since')
  expect(screen.getByRole('definition')).toHaveTextContent('2026')
})

test('sibling links mark the current page', () => {
  const tabs = [
    { href: '/a', label: 'One', isCurrent: false },
    { href: '/b', label: 'Two', isCurrent: true },
  ]
  show(<LinkTabs label="Account" tabs={tabs} kind="row" />)
  expect(screen.getByRole('navigation', { name: 'Account' })).toBeVisible()
  expect(screen.getByRole('link', { current: 'page' })).toHaveAccessibleName('Two')
  expect(screen.getByRole('link', { name: 'One' })).not.toHaveAttribute('aria-current')
})

test('clean HTML is rendered, other HTML is shown as text', () => {
  show(<SanitizedHtml html="<p>Hello</p>" />)
  expect(screen.getByText('Hello').outerHTML).toBe('<p>Hello</p>')
})

test('unclean HTML is shown as text', () => {
  const html = '<img src="x" onerror="alert(1)">'
  show(<SanitizedHtml html={html} />)
  expect(screen.getByText(html)).toBeVisible()
  expect(screen.queryByRole('img')).toBeNull()
})
