// Runs a script of this folder on Node 24, whichever version is installed. It is plain JavaScript that even Node 12 can
// parse, so that users of old versions get a helpful message: no names with `node:`, no top-level `await`, no `??=`.
/* oxlint-disable unicorn/prefer-node-protocol, unicorn/prefer-top-level-await, logical-assignment-operators */
import { spawn, spawnSync } from 'child_process'
import { accessSync, constants } from 'fs'
import * as module from 'module'
import { fileURLToPath } from 'url'

const oldest = 16
const version = Number(process.versions.node.split('.')[0])
if (version < oldest) {
  console.error(
    `This is Node ${process.versions.node}, which is too old. Install Node 20 or later and run npm ci again.`,
  )
  process.exit(1)
}

const [name, ...words] = process.argv.slice(2)
const script = new URL(`./${name}.ts`, import.meta.url)
const packaged = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))

// Caches modules with their types stripped and compiled, which halves the time of the second start.
if (process.env.NODE_COMPILE_CACHE === undefined)
  process.env.NODE_COMPILE_CACHE = fileURLToPath(new URL('../.cache/code', import.meta.url))

// The parent process may end without forwarding its signal, as npm does. This process then ends in the same way.
if (process.env.npm_lifecycle_event || process.env.ENDS_WITH_PARENT) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  watch.unref()
}

if (version >= 24) {
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  process.argv.splice(1, 2, fileURLToPath(script))
  void import(script.href)
} else {
  if (!isThere()) fetchNode()
  if (!isThere()) {
    console.error(
      'Node 24 isn’t installed. Allow the install script of the package "node" (npm rebuild node) and try again.',
    )
    process.exit(1)
  }
  const child = spawn(packaged, [fileURLToPath(import.meta.url), name, ...words], {
    stdio: 'inherit',
    env: { ...process.env, ENDS_WITH_PARENT: '1' },
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code === null ? 1 : code))
}

function isThere() {
  try {
    accessSync(packaged, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** If install scripts are blocked, the package's own script is run now. It installs the binary of this platform. */
function fetchNode() {
  const home = fileURLToPath(new URL('../node_modules/node/', import.meta.url))
  spawnSync(process.execPath, ['installArchSpecificPackage.js'], { cwd: home, stdio: 'ignore' })
}
