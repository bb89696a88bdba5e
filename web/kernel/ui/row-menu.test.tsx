// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '#tests/setup/show.tsx'
import { RowMenu } from './row-menu.tsx'

function open() {
  const [onSelect, onShortcut] = [vi.fn<() => void>(), vi.fn<(event: KeyboardEvent) => void>()]
  document.addEventListener('keydown', onShortcut)
  const shown = show(
    <RowMenu
      label="Actions for Ada"
      items={[
        { name: 'view', label: 'View', href: '#view' },
        { name: 'edit', label: 'Edit', onSelect },
        { name: 'delete', label: 'Delete', isDangerous: true, onSelect: () => {} },
      ]}
    />,
  )
  return { ...shown, onSelect, onShortcut }
}
const button = () => screen.getByRole('button', { name: 'Actions for Ada' })
const item = (name: string) => screen.getByRole('menuitem', { name })

test('the button opens the menu, whose first item has the focus', async () => {
  const { user } = open()
  expect(button()).toHaveAttribute('aria-haspopup', 'menu')
  expect(button()).toHaveAttribute('aria-expanded', 'false')
  expect(screen.queryByRole('menuitem')).toBeNull()
  await user.click(button())
  expect(button()).toHaveAttribute('aria-expanded', 'true')
  expect(item('View')).toHaveFocus()
})

test('arrow keys, Home, End, and letters move the focus, and keys of the page do nothing', async () => {
  const { user, onShortcut } = open()
  button().focus()
  await user.keyboard('{ArrowDown}')
  onShortcut.mockClear()
  const steps = [
    ['{ArrowDown}', 'Edit'],
    ['{ArrowUp}', 'View'],
    ['{ArrowUp}', 'Delete'],
    ['{ArrowDown}', 'View'],
    ['{End}', 'Delete'],
    ['{Home}', 'View'],
    ['e', 'Edit'],
    ['x', 'Edit'],
  ] as const
  for (const [key, name] of steps) {
    await user.keyboard(key)
    expect(item(name)).toHaveFocus()
  }
  expect(onShortcut).not.toHaveBeenCalled()
})

test('Escape closes the menu and returns the focus, and so does selecting an item', async () => {
  const { user, onSelect } = open()
  await user.click(button())
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('menuitem')).toBeNull()
  expect(button()).toHaveFocus()
  await user.click(button())
  await user.keyboard('{ArrowDown}{Enter}')
  expect(onSelect).toHaveBeenCalledOnce()
  expect(screen.queryByRole('menuitem')).toBeNull()
  expect(button()).toHaveFocus()
})

test('Space follows a link', async () => {
  const { user } = open()
  await user.click(button())
  await user.keyboard(' ')
  expect(location.hash).toBe('#view')
})
