import { renderToStaticMarkup as markup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Button, ButtonLink } from './button.tsx'
import { Facts } from './facts.tsx'
import { Checkbox, PasswordField, Select, TextArea, TextField } from './field.tsx'
import { FormStatus } from './form-status.tsx'
import { SanitizedHtml } from './sanitized-html.tsx'
import { Table } from './table.tsx'

const words = { show: 'Show', hide: 'Hide', showNamed: 'Show password', hideNamed: 'Hide password' }

test('a field ties its label, its help and its error to the control', () => {
  const html = markup(<TextField id="mail" label="E-mail" help="Ours only" error="Required" name="email" />)
  expect(html).toContain('<label')
  expect(html).toContain('for="mail"')
  expect(html).toMatch(/<input[^>]*id="mail"[^>]*aria-describedby="mail-error mail-help"/)
  expect(html).toMatch(/<input[^>]*aria-invalid="true"/)
  expect(html).toMatch(/id="mail-error"[^>]*>Required</)
  expect(html).toMatch(/id="mail-help"[^>]*>Ours only</)
})

test('a field in order is neither invalid nor described by an error, but its error line is there to be filled', () => {
  const html = markup(<TextField id="mail" label="E-mail" />)
  expect(html).not.toContain('aria-invalid')
  expect(html).not.toContain('aria-describedby')
  expect(html).toMatch(/id="mail-error" aria-live="polite"/)
})

test('every kind of control is labelled', () => {
  for (const html of [
    markup(<TextArea id="x" label="Why" />),
    markup(
      <Select id="x" label="Why">
        <option>a</option>
      </Select>,
    ),
    markup(<Checkbox id="x" label="Why" />),
    markup(<PasswordField id="x" label="Why" words={words} autoComplete="new-password" />),
  ]) {
    expect(html).toContain('for="x"')
    expect(html).toMatch(/<(input|textarea|select)[^>]* id="x"/)
  }
})

test('a password is hidden at first, says what it is for, and its button names the field', () => {
  const html = markup(<PasswordField id="x" label="Password" words={words} autoComplete="current-password" />)
  expect(html).toContain('type="password"')
  expect(html).toContain('autoComplete="current-password"')
  expect(html).toMatch(/<button type="button"[^>]*aria-label="Show password"[^>]*>Show</)
})

test('a busy button takes no click, says what it does and tells readers', () => {
  const html = markup(
    <Button busy busyLabel="Saving…">
      Save
    </Button>,
  )
  expect(html).toContain('disabled=""')
  expect(html).toContain('aria-busy="true"')
  expect(html).toContain('Saving…')
})

test('a button does not send a form unless it is told to, and a link is a link', () => {
  expect(markup(<Button>Open</Button>)).toContain('type="button"')
  expect(markup(<Button type="submit">Send</Button>)).toContain('type="submit"')
  expect(markup(<ButtonLink href="/news">News</ButtonLink>)).toMatch(/^<a href="\/news"/)
})

test('the lines of a form’s status are there before they speak', () => {
  const html = markup(<FormStatus id="still" />)
  expect(html).toContain('role="alert"')
  expect(html).toMatch(/id="still" aria-live="polite"/)
})

test('a table keeps its roles and gives every cell its heading', () => {
  const html = markup(
    <Table
      caption="Orders"
      columns={[{ name: 'amount', heading: 'Amount', cell: (row: { amount: number }) => row.amount }]}
      rows={[{ amount: 3 }]}
      rowKey={() => 'a'}
    />,
  )
  expect(html).toContain('Orders</caption>')
  expect(html).toMatch(/<td role="cell" data-heading="Amount">3</)
})

test('facts are a list of terms', () => {
  expect(markup(<Facts facts={[{ name: 'a', label: 'Since', value: '2026' }]} />)).toContain(
    '<dt>Since</dt><dd>2026</dd>',
  )
})

test('clean HTML is shown as it is, other HTML as the text it is', () => {
  expect(markup(<SanitizedHtml html="<p>Hello</p>" />)).toBe('<div><p>Hello</p></div>')
  expect(markup(<SanitizedHtml html='<img src="x" onerror="alert(1)">' />)).toBe(
    '<div>&lt;img src="x" onerror="alert(1)"&gt;</div>',
  )
})
